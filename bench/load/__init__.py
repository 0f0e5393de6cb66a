"""Load generator: many racers in one process, with as little work as possible for each."""
