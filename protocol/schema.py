"""The JSON Schema of all messages, made from their types; `python -m protocol.schema` prints it.

Messages stand in it under their `type`, the pieces that they share under the names of their classes.
"""

from typing import Any, Final, get_args

import msgspec

from protocol.from_client import FromClient
from protocol.from_server import FromServer

Schema = dict[str, Any]

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


def classes(union: object) -> dict[str, type[msgspec.Struct]]:
    """Return the class of each message of `FromClient` or `FromServer` by its type, in their order."""
    return {str(cls.__struct_config__.tag): cls for cls in get_args(union)}


CLIENT_CLASSES: Final = classes(FromClient)
SERVER_CLASSES: Final = classes(FromServer)
CLASSES: Final = CLIENT_CLASSES | SERVER_CLASSES
