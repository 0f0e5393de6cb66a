"""The frames that wait until a client's socket takes them."""


class Outbox:
    """Frames in the order of their sending, in which a frame of a kind replaces the older one of its kind.

    The newer frame waits at the end, not in the place of the older one: what was sent between the two
    happened before the newer one and must be read before it.
    """

    __slots__ = ("_frames", "_number", "size")

    def __init__(self) -> None:
        self._frames: dict[int | str, bytes] = {}
        self._number = 0
        self.size = 0

    def __len__(self) -> int:
        return len(self._frames)

    def push(self, frame: bytes) -> None:
        """Add a frame that nothing will replace."""
        self._number += 1
        self._frames[self._number] = frame
        self.size += len(frame)

    def push_latest(self, kind: str, frame: bytes) -> None:
        """Add a frame in place of the one of this kind that still waits."""
        older = self._frames.pop(kind, b"")
        self._frames[kind] = frame
        self.size += len(frame) - len(older)

    def take(self) -> bytes:
        """Empty the box and return everything as one piece."""
        frames = self._frames
        data = next(iter(frames.values())) if len(frames) == 1 else b"".join(frames.values())
        frames.clear()
        self.size = 0
        return data
