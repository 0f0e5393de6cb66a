"""Chapters about the first words on a connection: who comes, and who says nothing."""

import json
from collections.abc import Sequence

from conformance.chapter import Step
from conformance.errors import SkippedError, UnmetError
from conformance.of_server.visitor import Stage, Visitor, require, same
from protocol.close_codes import CloseCode
from protocol.errors import ErrorCode
from protocol.limits import HELLO_SECONDS, NAME_LENGTH
from protocol.version import VERSION


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
            Step("a second `hello` is `already_identified`", life, self._twice),
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
        for type_ in ("create", "leave", "start_countdown"):
            await visitor.fails(ErrorCode.HELLO_REQUIRED, type_)
        await visitor.send({"type": "undo", "race": 1, "n": 1})
        error = await visitor.hear("error", n=1)
        require(error, "the error", code=ErrorCode.HELLO_REQUIRED, request="undo", race=1)
        await visitor.hello()

    async def _twice(self) -> None:
        visitor = await Visitor.greeted(self.stage, "Ann")
        await visitor.fails(ErrorCode.ALREADY_IDENTIFIED, "hello", name="Ann")

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
        clocks = [(await visitor.ask("ping", "pong"))["clock_ms"] for _ in range(3)]
        same(clocks, sorted(clocks), "clocks")

    async def _language(self) -> None:
        texts = []
        for lang in ("zh-Hant-TW", "zh-Hant", "en", "xx"):
            visitor = await Visitor.arrive(self.stage, "Ann")
            await visitor.hello(lang=lang)
            texts.append((await visitor.act(1, 1, "undo"))["text"])
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
