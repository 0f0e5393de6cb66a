"""State of the full screen and the functions that keys, typed lines and messages change it with. Pure."""
