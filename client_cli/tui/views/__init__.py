"""Views of the full screen: state in, rows out. Pure."""
