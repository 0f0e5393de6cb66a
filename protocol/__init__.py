"""What is said on the wire, written once."""
