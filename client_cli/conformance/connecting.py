"""Chapters about the connection itself: handshake, encodings, broken input, hello."""

import json
from collections.abc import Sequence

import msgspec

from client_cli.conformance.chapter import Step
from client_cli.conformance.visitor import SkippedError, Stage, UnmetError, Visitor, require, same
from client_cli.conformance.wire import Caller, RefusedError
from protocol.closes import CloseCode
from protocol.errors import ErrorCode
from protocol.limits import HELLO_SECONDS, MESSAGE_BYTES, NAME_LENGTH
from protocol.version import JSON, MSGPACK, VERSION


class Connecting:
    """The handshake and the subprotocols."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage

    def steps(self) -> Sequence[Step]:
        """Return what to check."""
        about = "Connecting"
        return (
            Step("JSON is spoken under its subprotocol", about, lambda: self._speaks(JSON), gate=True),
            Step("MessagePack is spoken under its subprotocol", about, lambda: self._speaks(MSGPACK)),
            Step("of two subprotocols the client's first is taken", about, self._first),
            Step("no subprotocol: a text frame brings JSON", about, lambda: self._none(JSON)),
            Step("no subprotocol: a binary frame brings MessagePack", about, lambda: self._none(MSGPACK)),
            Step("only unknown subprotocols are refused with HTTP 400", about, self._unknown),
            Step("an unknown path is refused with HTTP 404", about, self._path),
            Step("no extension is negotiated", about, self._extensions),
        )

    async def _speaks(self, subprotocol: str) -> None:
        visitor = await Visitor.arrive(self.stage, "Ann", subprotocol)
        same(visitor.caller.subprotocol, subprotocol, "the subprotocol of the answer")
        await visitor.ask("ping", "pong")

    async def _first(self) -> None:
        for offered in ((JSON, MSGPACK), (MSGPACK, JSON), ("simonrace.v99.json", JSON)):
            wanted = next(each for each in offered if each in (JSON, MSGPACK))
            caller = await Caller.open(self.stage.url, *offered)
            await caller.close()
            same(caller.subprotocol, wanted, f"the subprotocol when {offered} are offered")

    async def _none(self, encoding: str) -> None:
        caller = await Caller.open(self.stage.url)
        same(caller.subprotocol, None, "the subprotocol when none is offered")
        await Visitor(self.stage, "Ann", caller, encoding).ask("ping", "pong")

    async def _unknown(self) -> None:
        await self._refused(self.stage.url, 400, "simonrace.v99.json")

    async def _path(self) -> None:
        await self._refused(f"{self.stage.url.rstrip('/')}/no/such/path", 404, JSON)

    async def _refused(self, url: str, status: int, subprotocol: str) -> None:
        try:
            caller = await Caller.open(url, subprotocol)
        except RefusedError as refused:
            same(refused.status, status, "the HTTP status")
            return
        await caller.close()
        raise UnmetError(f"HTTP {status}", "a WebSocket")

    async def _extensions(self) -> None:
        caller = await Caller.open(self.stage.url, JSON)
        await caller.close()
        same(caller.extensions, None, "the extensions of the answer")


class BrokenInput:
    """What is no message, or not quite."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage

    def steps(self) -> Sequence[Step]:
        """Return what to check."""
        errors, encodings = "Errors", "Encodings"
        return (
            Step("what is no JSON ends the connection with 4001", errors, lambda: self._ends(JSON, "{no")),
            Step(
                "what is no MessagePack ends it with 4001", errors, lambda: self._ends(MSGPACK, b"\x81\xc1")
            ),
            Step("NaN is no JSON", encodings, lambda: self._ends(JSON, '{"type":"ping","ref":NaN}')),
            Step(
                "input that nests without end is undecodable",
                errors,
                lambda: self._ends(JSON, '{"x":' + "[" * 5000 + "}"),
            ),
            Step(
                "a text frame under MessagePack is undecodable",
                encodings,
                lambda: self._ends(MSGPACK, '{"type":"ping"}'),
            ),
            Step("an unknown type is answered and the connection stays", errors, self._unknown_type),
            Step("a wrong field is answered and the connection stays", errors, self._bad_message),
            Step('1.0, "1" and true are no integers', encodings, self._integers),
            Step("unknown fields are ignored, whatever is in them", "Versions", self._unknown_fields),
            Step("a message of 16,384 bytes is taken", "Limits", self._largest),
            Step("a larger one ends the connection with 1009", "Limits", self._too_large),
        )

    async def _ends(self, subprotocol: str, data: str | bytes) -> None:
        visitor = await Visitor.arrive(self.stage, "Ann", subprotocol)
        await visitor.send_raw(data)
        require(await visitor.hear("error"), "`undecodable`", code=ErrorCode.UNDECODABLE, ref=None)
        await visitor.closed(CloseCode.BAD_MESSAGE)

    async def _unknown_type(self) -> None:
        visitor = await Visitor.greeted(self.stage, "Ann")
        await self._answered(visitor, '{"type":"fly","ref":7}', ErrorCode.UNKNOWN_TYPE)

    async def _bad_message(self) -> None:
        visitor = await Visitor.greeted(self.stage, "Ann")
        for raw in ('{"type":"join","ref":7}', '{"type":"join","room":5}', '{"ref":7}', "[]", '"ping"'):
            await self._answered(visitor, raw, ErrorCode.BAD_MESSAGE)

    async def _integers(self) -> None:
        visitor = await Visitor.greeted(self.stage, "Ann")
        for wrong in ("1.0", '"1"', "true", "null", "-1", "2147483648"):
            await self._answered(visitor, f'{{"type":"ping","ref":{wrong}}}', ErrorCode.BAD_MESSAGE)

    async def _answered(self, visitor: Visitor, raw: str, code: ErrorCode) -> None:
        await visitor.send_raw(raw)
        require(await visitor.hear("error"), f"the error `{code}`", code=code)
        await visitor.ask("ping", "pong")

    async def _unknown_fields(self) -> None:
        visitor = await Visitor.arrive(self.stage, "Ann")
        await visitor.hello(mood={"good": [1, None, {"x": "y"}]}, n=7)
        await visitor.ask("ping", "pong", seq=5, **{"from": 1})

    async def _largest(self) -> None:
        for subprotocol in (JSON, MSGPACK):
            visitor = await Visitor.arrive(self.stage, "Ann", subprotocol)
            await visitor.send_raw(_ping_of(MESSAGE_BYTES, subprotocol), f"a ping of {MESSAGE_BYTES} bytes")
            await visitor.hear("pong", ref=1)

    async def _too_large(self) -> None:
        visitor = await Visitor.arrive(self.stage, "Ann")
        await visitor.send_raw(_ping_of(MESSAGE_BYTES + 1, JSON), f"a ping of {MESSAGE_BYTES + 1} bytes")
        await visitor.closed(CloseCode.TOO_BIG)


class Greeting:
    """Hello, identities and names."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage

    def steps(self) -> Sequence[Step]:
        """Return what to check."""
        life, names, resuming = "Life of a connection", "Names and codes", "Resuming"
        return (
            Step("`hello` is answered by `welcome` with a new identity", life, self._new, gate=True),
            Step("nothing but `ping` may come before `hello`", life, self._before),
            Step("a second `hello` is `already_greeted`", life, self._twice),
            Step("names are put in their normal form", names, self._names),
            Step("names that are none are `bad_name`, and another may follow", names, self._bad_names),
            Step("`player` and `token` make one the same again, without a new token", life, self._again),
            Step("a wrong token is `bad_token` and ends with 4003", resuming, self._wrong_token),
            Step("`pong` has a clock that goes on", "Heartbeats", self._clock),
            Step("rules are told in Traditional Chinese to those who speak it", "Refusals", self._language),
        )

    async def _new(self) -> None:
        visitor = await Visitor.arrive(self.stage, "Ann")
        welcome = await visitor.hello()
        require(welcome, "`welcome`", protocol=VERSION, name="Ann", player=visitor.player)
        if not welcome.get("token"):
            raise UnmetError("`welcome` with a token", json.dumps(welcome))

    async def _before(self) -> None:
        visitor = await Visitor.arrive(self.stage, "Ann")
        await visitor.ask("ping", "pong")
        for type_ in ("create", "leave", "start"):
            await visitor.fails(ErrorCode.HELLO_FIRST, type_)
        await visitor.hello()

    async def _twice(self) -> None:
        visitor = await Visitor.greeted(self.stage, "Ann")
        await visitor.fails(ErrorCode.ALREADY_GREETED, "hello", name="Ann")

    async def _names(self) -> None:
        for typed, shown in (("  Ann \t B ", "Ann B"), ("A" * NAME_LENGTH, "A" * NAME_LENGTH), ("é", "é")):
            welcome = await (await Visitor.arrive(self.stage, typed)).hello()
            same(welcome["name"], shown, f"the name of {typed!r}")

    async def _bad_names(self) -> None:
        visitor = await Visitor.arrive(self.stage, "Ann")
        for typed in ("", "   ", "A" * (NAME_LENGTH + 1), "A\u202eB", "A\u200bB", "A\x07", "--"):
            await visitor.fails(ErrorCode.BAD_NAME, "hello", name=typed)
        await visitor.hello()

    async def _again(self) -> None:
        first = await Visitor.greeted(self.stage, "Ann")
        second = await Visitor.arrive(self.stage, "Anna")
        welcome = await second.hello(player=first.player, token=first.token)
        require(welcome, "the same player under a new name", player=first.player, name="Anna", token=None)

    async def _wrong_token(self) -> None:
        known = await Visitor.greeted(self.stage, "Ann")
        for player, token in ((known.player, "x" * len(known.token)), ("nobody", known.token)):
            visitor = await Visitor.arrive(self.stage, "Ann")
            await visitor.fails(ErrorCode.BAD_TOKEN, "hello", name="Ann", player=player, token=token)
            await visitor.closed(CloseCode.BAD_TOKEN)
        await known.quiet()

    async def _clock(self) -> None:
        visitor = await Visitor.greeted(self.stage, "Ann")
        clocks = [(await visitor.ask("ping", "pong"))["clock"] for _ in range(3)]
        same(clocks, sorted(clocks), "clocks")

    async def _language(self) -> None:
        texts = []
        for lang in ("zh-Hant-TW", "zh-Hant", "en", "xx"):
            visitor = await Visitor.arrive(self.stage, "Ann")
            await visitor.hello(lang=lang)
            texts.append((await visitor.act(1, "undo"))["text"])
        chinese, english = texts[:2], texts[2:]
        same(chinese[0], chinese[1], "the text for zh-Hant-TW")
        same(english[0], english[1], "the text for an unknown language")
        if chinese[0] == english[0]:
            raise SkippedError("this server has texts in one language only")


class Silence:
    """A connection that says nothing."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage

    def steps(self) -> Sequence[Step]:
        """Return what to check."""
        return (Step("without `hello` it ends with 4004", "Life of a connection", self._silence),)

    async def _silence(self) -> None:
        visitor = await Visitor.arrive(self.stage, "Ann")
        await visitor.closed(CloseCode.HELLO_TIMEOUT, HELLO_SECONDS + 5)


def _ping_of(size: int, subprotocol: str) -> str | bytes:
    """Return a ping that is exactly so many bytes long."""
    message = {"type": "ping", "ref": 1, "padding": ""}
    if subprotocol == JSON:
        return json.dumps(message | {"padding": "x" * (size - len(json.dumps(message)))})
    empty = len(msgspec.msgpack.encode(message | {"padding": "x" * 5000})) - 5000
    return msgspec.msgpack.encode(message | {"padding": "x" * (size - empty)})
