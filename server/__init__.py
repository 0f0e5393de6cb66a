"""The Simon Race server: a pure core in a thin shell."""
