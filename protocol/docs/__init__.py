"""Generators of the documents that are made from the message classes, and readers of the frozen examples."""
