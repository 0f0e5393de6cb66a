"""Connections as people: hello, requests, actions, and what is told to one of them."""
