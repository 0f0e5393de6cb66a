"""The line front ends: terminal and pipe."""
