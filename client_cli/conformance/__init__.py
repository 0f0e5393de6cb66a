"""Checks of other programs: any server, and any client, of this protocol, from outside."""
