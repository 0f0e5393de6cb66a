"""Encoding and decoding of messages in MessagePack and JSON, from one definition of each message."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import msgspec

from protocol.errors import ErrorCode
from protocol.from_client import FromClient
from protocol.from_server import FromServer
from protocol.version import JSON, MSGPACK
from protocol.whole_floats import loose, tightened, whole

_FAULTS: Final = (msgspec.DecodeError, UnicodeError, RecursionError, TypeError)
_TOO_DEEP: Final = "nested too deeply"

_ECHOED_BYTES: Final = 66
"""Bytes of a field that an error repeats; a longer one is not repeated."""

_NUMBER_LIMIT: Final = 2**31
_GOT_FLOAT: Final = ", got `float`"

_DETAIL_LENGTH: Final = 200
"""Characters of a fault's detail: msgspec quotes the input, which can be as long as a message."""


class Echo(NamedTuple):
    """What an error repeats of the message that it answers; None where it could not be read."""

    request: str | None = None
    ref: int | None = None
    race: int | None = None
    n: int | None = None


class _Envelope(msgspec.Struct, frozen=True):
    """The fields that an error repeats, undecoded: each is read on its own, if it is short enough."""

    type: msgspec.Raw = msgspec.Raw()
    ref: msgspec.Raw = msgspec.Raw()
    race: msgspec.Raw = msgspec.Raw()
    n: msgspec.Raw = msgspec.Raw()


class BadInputError(ValueError):
    """Input that is not a message. `code` is the kind of fault; only `undecodable` ends a connection.

    `echo` is what could be read of the input: an answer repeats it, so that the sender can match it.
    `message` is the message of a client whose only fault is that integers are written as whole floats (`1.0`
    for 1): a server accepts it.
    """

    def __init__(
        self, code: ErrorCode, detail: str = "", echo: Echo | None = None, message: FromClient | None = None
    ) -> None:
        self.code = code
        self.echo = Echo() if echo is None else echo
        self.message = message
        if len(detail) > _DETAIL_LENGTH:
            detail = detail[:_DETAIL_LENGTH] + "…"
        self.text = f"{code.sentence} ({detail})" if detail else code.sentence
        super().__init__(self.text)


@dataclass(frozen=True, slots=True)
class Codec:
    """One encoding of all messages. `binary` is whether frames are binary; `encode` encodes a message."""

    subprotocol: str
    binary: bool
    encode: Callable[[FromClient | FromServer], bytes]  # msgspec's own: the hot path pays no wrapper
    _from_client: Any
    _from_server: Any
    _loose_from_client: Any
    _skipper: Any
    _envelope: Any
    _echoed_text: Any
    _echoed_number: Any

    def from_client(self, data: bytes | str) -> FromClient:
        """Decode a message from a client.

        Raises BadInputError: `undecodable` if the input is not in this encoding, `unknown_type` if the type
        does not exist in this version, `bad_message` if a field is wrong. Unknown fields are ignored, so that
        newer clients can use older servers. If a field occurs twice, the last value is used, but a second
        `type` must have the same value. Text is not MessagePack; bytes can be JSON. If the only fault is that
        integers are written as whole floats, the error is `bad_message` and has the message.
        """
        try:
            return self._from_client.decode(data)  # type: ignore[no-any-return]
        except _FAULTS as fault:
            error = self._explain(data, fault)
        if error.code is ErrorCode.BAD_MESSAGE and _GOT_FLOAT in error.text:
            error = self._read_floats(data, error)
        raise error

    def _read_floats(self, data: bytes | str, error: BadInputError) -> BadInputError:
        """Decode again with floats allowed for integers; return the error, with the message if that works."""
        try:
            message = tightened(self._loose_from_client.decode(data), FromClient)
        except msgspec.ValidationError as fault:
            detail = str(fault).replace("int | float", "int")
            return BadInputError(error.code, detail, error.echo)
        return BadInputError(error.code, "an integer is written as a float", error.echo, message)

    def from_server(self, data: bytes | str) -> FromServer:
        """Decode a message from a server. Raises BadInputError like `from_client`."""
        try:
            return self._from_server.decode(data)  # type: ignore[no-any-return]
        except _FAULTS as fault:
            raise self._explain(data, fault) from None

    def _explain(self, data: bytes | str, fault: Exception) -> BadInputError:
        """Return the error for input that msgspec cannot decode, or whose type or fields are wrong.

        msgspec reports an unknown type and a wrong field as the same exception, and stops at the first one,
        so that the rest of the input may still be undecodable. The skipper checks the rest without building
        objects: 16 KiB of empty maps would become a megabyte of dicts.
        """
        if isinstance(fault, TypeError):  # text for MessagePack
            return BadInputError(ErrorCode.UNDECODABLE, "this encoding is sent in binary frames")
        if isinstance(fault, RecursionError):  # deep nesting: msgspec raises the interpreter's own error
            return BadInputError(ErrorCode.UNDECODABLE, _TOO_DEEP)
        if not isinstance(fault, msgspec.ValidationError):
            return BadInputError(ErrorCode.UNDECODABLE, str(fault))
        try:
            self._skipper.decode(data)
        except (msgspec.DecodeError, UnicodeError) as deeper:
            return BadInputError(ErrorCode.UNDECODABLE, str(deeper))
        except RecursionError:
            return BadInputError(ErrorCode.UNDECODABLE, _TOO_DEEP)
        detail = str(fault)
        if detail.startswith("Invalid value ") and detail.endswith(" - at `$.type`"):
            return BadInputError(ErrorCode.UNKNOWN_TYPE, detail, self._echo(data))
        return BadInputError(ErrorCode.BAD_MESSAGE, detail, self._echo(data))

    def _echo(self, data: bytes | str) -> Echo:
        """Read what an error repeats of a message that has a wrong field."""
        try:
            envelope = self._envelope.decode(data)
        except _FAULTS:  # the message is not a map
            return Echo()
        return Echo(
            _decoded(self._echoed_text, envelope.type),
            self._number(envelope.ref),
            self._number(envelope.race),
            self._number(envelope.n),
        )

    def _number(self, raw: msgspec.Raw) -> int | None:
        number = whole(_decoded(self._echoed_number, raw))
        return number if isinstance(number, int) and 0 <= number < _NUMBER_LIMIT else None


def _decoded(decoder: Any, raw: msgspec.Raw) -> Any:
    if not 0 < len(memoryview(raw)) <= _ECHOED_BYTES:
        return None
    try:
        return decoder.decode(raw)
    except _FAULTS:
        return None


_CLIENT: Final[Any] = FromClient
_SERVER: Final[Any] = FromServer
_LOOSE_CLIENT: Final = loose(FromClient)
_NUMBER: Final[Any] = int | float

MSGPACK_CODEC: Final = Codec(
    MSGPACK,
    True,
    msgspec.msgpack.Encoder().encode,
    msgspec.msgpack.Decoder(_CLIENT),
    msgspec.msgpack.Decoder(_SERVER),
    msgspec.msgpack.Decoder(_LOOSE_CLIENT),
    msgspec.msgpack.Decoder(msgspec.Raw),
    msgspec.msgpack.Decoder(_Envelope),
    msgspec.msgpack.Decoder(str),
    msgspec.msgpack.Decoder(_NUMBER),
)
JSON_CODEC: Final = Codec(
    JSON,
    False,
    msgspec.json.Encoder().encode,
    msgspec.json.Decoder(_CLIENT),
    msgspec.json.Decoder(_SERVER),
    msgspec.json.Decoder(_LOOSE_CLIENT),
    msgspec.json.Decoder(msgspec.Raw),
    msgspec.json.Decoder(_Envelope),
    msgspec.json.Decoder(str),
    msgspec.json.Decoder(_NUMBER),
)
CODECS: Final = {codec.subprotocol: codec for codec in (MSGPACK_CODEC, JSON_CODEC)}
