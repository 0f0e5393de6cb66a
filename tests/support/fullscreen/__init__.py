"""Shared by tests, benchmark and pictures of the full screen: a fake server and an example race."""

from fullscreen.example_race import CODE, ExampleRace
from fullscreen.fake_server import FakeServer
from fullscreen.harness import SCREENS, SIZES, screen_lines

__all__ = ["CODE", "SCREENS", "SIZES", "ExampleRace", "FakeServer", "screen_lines"]
