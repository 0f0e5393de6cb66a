"""Front ends of lines: terminal and pipe."""
