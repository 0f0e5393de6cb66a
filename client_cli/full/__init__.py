"""The full screen: pure views and decisions, and a thin shell of Textual around them."""
