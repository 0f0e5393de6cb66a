"""Client programs that connect: counted under a bounded number of names."""

import re
from typing import Final

OTHER: Final = "other"

MAX_NAMES: Final = 20
"""Programs that are counted by name; further ones count as `other`."""

# The form that the protocol asks for, `myclient/1.2`. Any other text would let a client write into logs.
_NAMED: Final = re.compile(r"[A-Za-z][\w.-]{0,39}/[0-9][\w.+-]{0,22}", re.ASCII)


class ClientPrograms:
    """How many `hello` each program has sent, by its name and version."""

    def __init__(self) -> None:
        self.hellos: dict[str, int] = {OTHER: 0}

    def count(self, claimed: str) -> str:
        """Count a `hello` of a program; return the name that it is counted under."""
        known = claimed in self.hellos or len(self.hellos) <= MAX_NAMES
        name = claimed if known and _NAMED.fullmatch(claimed) else OTHER
        self.hellos[name] = self.hellos.get(name, 0) + 1
        return name
