"""Random deals for races: drawn in a worker process, winnable where one is found in time."""
