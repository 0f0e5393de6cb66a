"""The command `simonrace`: commands, options, help."""
