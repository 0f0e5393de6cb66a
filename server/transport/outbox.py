"""The frames that wait until a client's socket takes them."""


class Outbox:
    """Frames in the order of their sending, in which a frame of a kind replaces the older one of its kind.

    The newer frame waits at the end, not in the place of the older one: what was sent between the two
    happened before the newer one and must be read before it.
    """

    __slots__ = ("_first", "_places", "_rest", "size")

    def __init__(self) -> None:
        self._first = b""  # most of the time the only one: no list is made for it
        self._rest: list[bytes] = []  # an empty one where a frame was replaced
        self._places: dict[str, int] = {}
        self.size = 0

    def push(self, frame: bytes) -> None:
        """Add a frame that nothing will replace."""
        if self.size:
            self._rest.append(frame)
        else:
            self._first = frame
        self.size += len(frame)

    def push_latest(self, kind: str, frame: bytes) -> None:
        """Add a frame in place of the one of this kind that still waits."""
        rest = self._rest
        if kind in self._places:
            place = self._places[kind]
            self.size -= len(rest[place])
            if place == len(rest) - 1:
                rest.pop()
            else:
                rest[place] = b""
        self._places[kind] = len(rest)
        rest.append(frame)
        self.size += len(frame)

    def take(self) -> bytes:
        """Empty the box and return everything as one piece."""
        data = self._first
        if self._rest:
            data = b"".join((data, *self._rest))
            self._rest.clear()
            self._places.clear()
        self._first = b""
        self.size = 0
        return data
