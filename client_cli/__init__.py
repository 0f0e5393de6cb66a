"""The terminal client: a pure view in a thin shell."""
