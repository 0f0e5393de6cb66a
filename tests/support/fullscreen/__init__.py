"""What tests, benchmark and pictures of the full screen share: a server in hand, a whole evening."""

from fullscreen.evening import CODE, Evening
from fullscreen.fake import FakeServer
from fullscreen.scenes import SCENES, SIZES, drawn

__all__ = ["CODE", "SCENES", "SIZES", "Evening", "FakeServer", "drawn"]
