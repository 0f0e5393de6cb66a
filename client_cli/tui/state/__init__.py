"""State of the full screen, and what keys and messages change in it. Pure."""
