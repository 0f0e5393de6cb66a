"""The frames that wait until a slow client's socket takes them."""


class Outbox:
    """Frames in the order of their sending, in which a frame of a kind replaces the older one of its kind.

    The newer frame waits at the end, not in the place of the older one: what was sent between the two
    happened before the newer one and must be read before it.
    """

    __slots__ = ("_frames", "_places", "size")

    def __init__(self) -> None:
        self._frames: list[bytes] = []  # an empty one where a frame was replaced
        self._places: dict[str, int] = {}
        self.size = 0

    def push(self, frame: bytes) -> None:
        """Add a frame that nothing will replace."""
        self._frames.append(frame)
        self.size += len(frame)

    def push_latest(self, kind: str, frame: bytes) -> None:
        """Add a frame in place of the one of this kind that still waits."""
        frames = self._frames
        place = self._places.get(kind)
        if place is not None:
            self.size -= len(frames[place])
            if place == len(frames) - 1:
                frames.pop()
            else:
                frames[place] = b""
        self._places[kind] = len(frames)
        self.push(frame)

    def take(self) -> bytes:
        """Empty the box and return everything as one piece."""
        data = b"".join(self._frames)
        self._frames.clear()
        self._places.clear()
        self.size = 0
        return data
