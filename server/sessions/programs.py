"""Which client programs connect: counted under a few names, however many are claimed."""

import re
from typing import Final

OTHER: Final = "other"

MOST: Final = 20
"""Names that are told apart; whoever comes after them is one of the others."""

# As the protocol asks for it, `myclient/1.2`; anything else would let a client write what it likes into logs.
_NAMED: Final = re.compile(r"[A-Za-z][\w.-]{0,39}/[0-9][\w.+-]{0,22}", re.ASCII)


class Programs:
    """How often each program has said hello, by its name and version; the first ones have names here."""

    def __init__(self) -> None:
        self.hellos: dict[str, int] = {OTHER: 0}

    def count(self, claimed: str) -> str:
        """Count a hello of a program; return the name that it is counted under."""
        known = claimed in self.hellos or len(self.hellos) <= MOST
        name = claimed if known and _NAMED.fullmatch(claimed) else OTHER
        self.hellos[name] = self.hellos.get(name, 0) + 1
        return name
