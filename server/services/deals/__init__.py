"""Random deals for races: drawn in a worker process, winnable if one is found in time."""
