"""The pure core of the server: rooms, races, ranking, limits; time and chance are arguments."""
