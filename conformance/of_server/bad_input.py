"""Checks of input that is not a valid message."""

import json
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from conformance.checks import Check
from conformance.of_server.scripted_client import ScriptedClient, ServerUnderTest, require, require_equal
from protocol.close_codes import CloseCode
from protocol.errors import ErrorCode
from protocol.limits import MESSAGE_BYTES
from protocol.version import JSON, MSGPACK

ECHOES: Final[tuple[tuple[dict[str, Any], ErrorCode, dict[str, Any]], ...]] = (
    ({"type": "fly", "ref": 7}, ErrorCode.UNKNOWN_TYPE, {"request": "fly", "ref": 7}),
    ({"type": "chat", "ref": 8, "text": 5}, ErrorCode.BAD_MESSAGE, {"request": "chat", "ref": 8}),
    ({"type": "join", "ref": "9"}, ErrorCode.BAD_MESSAGE, {"request": "join"}),
    ({"ref": 10}, ErrorCode.BAD_MESSAGE, {"ref": 10}),
    (
        {"type": "move", "race": 3, "n": 4, "from": 0, "to": 1},
        ErrorCode.BAD_MESSAGE,
        {"request": "move", "race": 3, "n": 4},
    ),
    ({"type": "undo", "race": 3, "n": -1}, ErrorCode.BAD_MESSAGE, {"request": "undo", "race": 3}),
    ({"type": "undo", "n": 4}, ErrorCode.BAD_MESSAGE, {"request": "undo", "n": 4}),
)
"""Messages with a wrong field, the error that each gets, and what the error echoes."""


class BadInput:
    """Checks of input that is not a valid message."""

    def __init__(self, server: ServerUnderTest) -> None:
        self.server = server

    def checks(self) -> Sequence[Check]:
        """Return the checks in order."""
        errors, encodings = "Errors", "Encodings"
        return (
            Check("invalid JSON closes the connection with 4001", errors, lambda: self._ends(JSON, "{no")),
            Check(
                "invalid MessagePack closes the connection with 4001",
                errors,
                lambda: self._ends(MSGPACK, b"\x81\xc1"),
            ),
            Check("NaN is not JSON", encodings, lambda: self._ends(JSON, '{"type":"ping","ref":NaN}')),
            Check(
                "input that is nested too deeply is undecodable",
                errors,
                lambda: self._ends(JSON, '{"x":' + "[" * 5000 + "}"),
            ),
            Check(
                "a text frame under MessagePack is undecodable",
                encodings,
                lambda: self._ends(MSGPACK, '{"type":"ping"}'),
            ),
            Check("an unknown type gets an error and the connection stays open", errors, self._unknown_type),
            Check("a wrong field gets an error and the connection stays open", errors, self._bad_message),
            Check("an error echoes type, `ref`, `race` and `n` of the message", errors, self._echo),
            Check('1.5, "1" and true are not integers', encodings, self._integers),
            Check("a whole float such as 1.0 is accepted as an integer", encodings, self._whole_floats),
            Check(
                "an unknown type is answered in its turn, with its `ref` and type",
                "Versions",
                self._feature_detection,
            ),
            Check("unknown fields are ignored, whatever they contain", "Versions", self._unknown_fields),
            Check("a message of 16,384 bytes is accepted", "Limits", self._largest),
            Check("a larger message closes the connection with 1009", "Limits", self._too_large),
        )

    async def _ends(self, subprotocol: str, data: str | bytes) -> None:
        client = await ScriptedClient.connect(self.server, "Ann", subprotocol)
        await client.send_raw(data)
        require(await client.expect("error"), "`undecodable`", code=ErrorCode.UNDECODABLE, ref=None)
        await client.expect_close(CloseCode.BAD_MESSAGE)

    async def _unknown_type(self) -> None:
        client = await ScriptedClient.identified(self.server, "Ann")
        await self._answered(client, '{"type":"fly","ref":7}', ErrorCode.UNKNOWN_TYPE)

    async def _bad_message(self) -> None:
        client = await ScriptedClient.identified(self.server, "Ann")
        for raw in ('{"type":"join","ref":7}', '{"type":"join","room":5}', '{"ref":7}', "[]", '"ping"'):
            await self._answered(client, raw, ErrorCode.BAD_MESSAGE)

    async def _echo(self) -> None:
        for subprotocol in (JSON, MSGPACK):
            client = await ScriptedClient.identified(self.server, "Ann", subprotocol)
            for message, code, echo in ECHOES:
                await client.send(message)
                wanted = {"request": None, "ref": None, "race": None, "n": None} | echo
                require(await client.expect("error"), f"the error `{code}`", code=code, **wanted)

    async def _integers(self) -> None:
        client = await ScriptedClient.identified(self.server, "Ann")
        for wrong in ("1.5", '"1"', "true", "null", "-1", "-1.0", "2147483648", "2147483648.0"):
            await self._answered(client, f'{{"type":"ping","ref":{wrong}}}', ErrorCode.BAD_MESSAGE)

    async def _whole_floats(self) -> None:
        for subprotocol in (JSON, MSGPACK):
            client = await ScriptedClient.identified(self.server, "Ann", subprotocol)
            await client.send({"type": "ping", "ref": 1001.0})
            await client.expect("pong", ref=1001)
            await client.send({"type": "undo", "race": 1.0, "n": 1.0})
            require(await client.answer(1, 1), "`refused`", type="refused", code="not_racing")
            room = await client.request("create", "room", settings={"max_members": 7.0})
            require_equal(room["settings"]["max_members"], 7, "`max_members` of the room")

    async def _feature_detection(self) -> None:
        """Requests before and after it are answered as without it."""
        for subprotocol in (JSON, MSGPACK):
            client = await ScriptedClient.connect(self.server, "Ann", subprotocol)
            await client.send({"type": "hello", "ref": 1, "name": "Ann"})
            await client.send({"type": "create", "ref": 2})
            await client.send({"type": "dance", "ref": 3})
            await client.send({"type": "leave", "ref": 4})
            for type_, ref in (("welcome", 1), ("room", 2), ("error", 3), ("done", 4)):
                answer = await client.expect("welcome|room|error|done")
                require(answer, f"`{type_}` with ref {ref}", type=type_, ref=ref)
                if type_ == "error":
                    require(answer, "`unknown_type`", code=ErrorCode.UNKNOWN_TYPE, request="dance")
            await client.request("ping", "pong")

    async def _answered(self, client: ScriptedClient, raw: str, code: ErrorCode) -> None:
        await client.send_raw(raw)
        require(await client.expect("error"), f"the error `{code}`", code=code)
        await client.request("ping", "pong")

    async def _unknown_fields(self) -> None:
        client = await ScriptedClient.connect(self.server, "Ann")
        await client.hello(mood={"good": [1, None, {"x": "y"}]}, n=7)
        await client.request("ping", "pong", seq=5, **{"from": 1})

    async def _largest(self) -> None:
        for subprotocol in (JSON, MSGPACK):
            client = await ScriptedClient.connect(self.server, "Ann", subprotocol)
            await client.send_raw(_ping_of(MESSAGE_BYTES, subprotocol), f"a ping of {MESSAGE_BYTES} bytes")
            await client.expect("pong", ref=1)

    async def _too_large(self) -> None:
        client = await ScriptedClient.connect(self.server, "Ann")
        await client.send_raw(_ping_of(MESSAGE_BYTES + 1, JSON), f"a ping of {MESSAGE_BYTES + 1} bytes")
        await client.expect_close(CloseCode.TOO_BIG)


def _ping_of(size: int, subprotocol: str) -> str | bytes:
    """Return a ping of exactly this size in bytes."""
    message = {"type": "ping", "ref": 1, "padding": ""}
    if subprotocol == JSON:
        return json.dumps(message | {"padding": "x" * (size - len(json.dumps(message)))})
    empty = len(msgspec.msgpack.encode(message | {"padding": "x" * 5000})) - 5000
    return msgspec.msgpack.encode(message | {"padding": "x" * (size - empty)})
