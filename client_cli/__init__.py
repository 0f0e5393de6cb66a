"""The terminal client: a pure core and pure texts, and the front ends that show them."""
