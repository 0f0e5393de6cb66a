"""Queue of the frames that wait until a slow client reads."""


class Outbox:
    """Ordered frames, and latest-wins frames of which only the newest of each kind is kept.

    A newer frame of a kind goes to the end of the queue, not to the position of the older one: frames sent
    between the two describe earlier events and must be read before it.
    """

    __slots__ = ("_frames", "_positions", "size")

    def __init__(self) -> None:
        self._frames: list[bytes] = []  # b"" where a frame was replaced
        self._positions: dict[str, int] = {}  # kind -> index of its newest frame in `_frames`
        self.size = 0  # sum of the lengths of `_frames`

    def push(self, frame: bytes) -> None:
        """Queue a frame that must not be replaced."""
        self._frames.append(frame)
        self.size += len(frame)

    def push_latest(self, kind: str, frame: bytes) -> None:
        """Queue a frame and drop the queued one of the same kind."""
        frames = self._frames
        position = self._positions.get(kind)
        if position is not None:
            self.size -= len(frames[position])
            if position == len(frames) - 1:
                frames.pop()
            else:
                frames[position] = b""
        self._positions[kind] = len(frames)
        self.push(frame)

    def take(self) -> bytes:
        """Return all frames as one piece and empty the queue."""
        data = b"".join(self._frames)
        self._frames.clear()
        self._positions.clear()
        self.size = 0
        return data
