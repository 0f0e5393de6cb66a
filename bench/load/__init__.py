"""The load generator: many racers in one process of its own, as light as it can be."""
