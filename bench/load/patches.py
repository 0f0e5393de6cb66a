"""Decoder of the standings of a room of the peer, from its state and its patches.

It reads only the schema of bench/peers/colyseus/server.mjs: a state with a map of racers, each with five
fields. The encoding is that of `@colyseus/schema` 4. Byte 255 and a number select a structure, whose
operations follow. The first two bits of an operation are its kind; the others, or a number after it, select
the field. Structure 0 is the state; the others get their numbers where they are added.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_SELECT: Final = 255
_OF_TYPE: Final = 213
_ADD, _DELETE = 0x80, 0x40
_STATE: Final = 0

_MOVES: Final = 1
_WIDTHS: Final = (4, 4, 1, 1)
"""Bytes of score, moves, runs and progress; then `state`, a string."""


class Patches:
    """The standings as one client has received them; `moves` is by session."""

    def __init__(self) -> None:
        self._moves: dict[str, int] = {}
        self.moves: Mapping[str, int] = MappingProxyType(self._moves)
        self._map = -1
        self._sessions: dict[int, str] = {}  # by the number of the racer's structure
        self._keys: dict[int, str] = {}  # by the place in the map

    def apply(self, patch: bytes) -> None:
        """Apply a state or a patch, without its first byte. Raises ValueError for anything else."""
        at, structure = 0, _STATE
        try:
            while at < len(patch):
                if patch[at] == _SELECT:
                    structure, at = _number(patch, at + 1)
                elif structure == _STATE:
                    self._map, at = _number(patch, at + 1)
                elif structure == self._map:
                    at = self._apply_to_map(patch, at)
                else:
                    at = self._apply_to_racer(patch, at, self._sessions[structure])
        except (IndexError, KeyError) as fault:
            raise ValueError(f"no patch of the peer's standings: {patch.hex()}") from fault

    def _apply_to_map(self, patch: bytes, at: int) -> int:
        """Add or remove a racer."""
        done = patch[at]
        place, at = _number(patch, at + 1)
        if done & _DELETE:
            self._moves.pop(self._keys.pop(place, ""), None)
        if not done & _ADD:
            return at
        session, at = _text(patch, at)
        structure, at = _number(patch, at)
        if at < len(patch) and patch[at] == _OF_TYPE:
            _, at = _number(patch, at + 1)
        self._keys[place] = self._sessions[structure] = session
        return at

    def _apply_to_racer(self, patch: bytes, at: int, session: str) -> int:
        """Change a field of a racer."""
        field = patch[at] & 0x3F
        if field == len(_WIDTHS):
            return _text(patch, at + 1)[1]
        end = at + 1 + _WIDTHS[field]
        if end > len(patch):
            raise IndexError
        if field == _MOVES:
            self._moves[session] = int.from_bytes(patch[at + 1 : end], "little")
        return end


def _number(data: bytes, at: int) -> tuple[int, int]:
    """Return a number and its end: a small one is one byte, of others the first byte tells the size."""
    first = data[at]
    if first < 0x80:
        return first, at + 1
    end = at + 1 + {0xCC: 1, 0xCD: 2, 0xCE: 4}[first]
    return int.from_bytes(data[at + 1 : end], "little"), end


def _text(data: bytes, at: int) -> tuple[str, int]:
    """Return a text of at most 31 bytes, and its end."""
    start = at + 1
    end = start + (data[at] & 0x1F)
    return data[start:end].decode(), end
