"""Checks of servers and clients of the protocol, from outside."""
