"""Checks of `hello`, and of a connection without it."""

import json
from collections.abc import Sequence

from conformance.checks import Check
from conformance.errors import CheckFailedError, CheckSkippedError
from conformance.of_server.scripted_client import ScriptedClient, ServerUnderTest, require, require_equal
from protocol.close_codes import CloseCode
from protocol.errors import ErrorCode
from protocol.limits import HELLO_SECONDS, NAME_LENGTH
from protocol.version import VERSION


class Hello:
    """Checks of `hello`, identities and names."""

    def __init__(self, server: ServerUnderTest) -> None:
        self.server = server

    def checks(self) -> Sequence[Check]:
        """Return the checks in order."""
        life, names, resuming = "Life of a connection", "Names and codes", "Resuming"
        return (
            Check("`hello` is answered by `welcome` with a new identity", life, self._new, required=True),
            Check("only `ping` is allowed before `hello`", life, self._before),
            Check("a second `hello` is `already_identified`", life, self._twice),
            Check("names are normalized", names, self._names),
            Check("an invalid name gets `bad_name`, and another `hello` can follow", names, self._bad_names),
            Check("`player` and `token` identify the same player, without a new token", life, self._again),
            Check("a wrong token gets `bad_token` and close code 4003", resuming, self._wrong_token),
            Check("the clock of `pong` never goes back", "Heartbeats", self._clock),
            Check(
                "refusals are in Traditional Chinese for clients that ask for it", "Refusals", self._language
            ),
        )

    async def _new(self) -> None:
        client = await ScriptedClient.connect(self.server, "Ann")
        welcome = await client.hello()
        require(welcome, "`welcome`", protocol=VERSION, name="Ann", player=client.player)
        if not welcome.get("token"):
            raise CheckFailedError("`welcome` with a token", json.dumps(welcome))

    async def _before(self) -> None:
        client = await ScriptedClient.connect(self.server, "Ann")
        await client.request("ping", "pong")
        for type_ in ("create", "leave", "start_countdown"):
            await client.expect_error(ErrorCode.HELLO_REQUIRED, type_)
        await client.send({"type": "undo", "race": 1, "n": 1})
        error = await client.expect("error", n=1)
        require(error, "the error", code=ErrorCode.HELLO_REQUIRED, request="undo", race=1)
        await client.hello()

    async def _twice(self) -> None:
        client = await ScriptedClient.identified(self.server, "Ann")
        await client.expect_error(ErrorCode.ALREADY_IDENTIFIED, "hello", name="Ann")

    async def _names(self) -> None:
        for typed, shown in (("  Ann \t B ", "Ann B"), ("A" * NAME_LENGTH, "A" * NAME_LENGTH), ("é", "é")):
            welcome = await (await ScriptedClient.connect(self.server, typed)).hello()
            require_equal(welcome["name"], shown, f"the name of {typed!r}")

    async def _bad_names(self) -> None:
        client = await ScriptedClient.connect(self.server, "Ann")
        for typed in ("", "   ", "A" * (NAME_LENGTH + 1), "A\u202eB", "A\u200bB", "A\x07", "--"):
            await client.expect_error(ErrorCode.BAD_NAME, "hello", name=typed)
        await client.hello()

    async def _again(self) -> None:
        first = await ScriptedClient.identified(self.server, "Ann")
        second = await ScriptedClient.connect(self.server, "Anna")
        welcome = await second.hello(player=first.player, token=first.token)
        require(welcome, "the same player under a new name", player=first.player, name="Anna", token=None)

    async def _wrong_token(self) -> None:
        known = await ScriptedClient.identified(self.server, "Ann")
        for player, token in ((known.player, "x" * len(known.token)), ("nobody", known.token)):
            client = await ScriptedClient.connect(self.server, "Ann")
            await client.expect_error(ErrorCode.BAD_TOKEN, "hello", name="Ann", player=player, token=token)
            await client.expect_close(CloseCode.BAD_TOKEN)
        await known.catch_up()

    async def _clock(self) -> None:
        client = await ScriptedClient.identified(self.server, "Ann")
        clocks = [(await client.request("ping", "pong"))["clock_ms"] for _ in range(3)]
        require_equal(clocks, sorted(clocks), "clocks")

    async def _language(self) -> None:
        texts = []
        for lang in ("zh-Hant-TW", "zh-Hant", "en", "xx"):
            client = await ScriptedClient.connect(self.server, "Ann")
            await client.hello(lang=lang)
            texts.append((await client.act(1, 1, "undo"))["text"])
        chinese, english = texts[:2], texts[2:]
        require_equal(chinese[0], chinese[1], "the text for zh-Hant-TW")
        require_equal(english[0], english[1], "the text for an unknown language")
        if chinese[0] == english[0]:
            raise CheckSkippedError("this server has texts in one language only")


class HelloTimeout:
    """Check of a connection without `hello`."""

    def __init__(self, server: ServerUnderTest) -> None:
        self.server = server

    def checks(self) -> Sequence[Check]:
        """Return the checks in order."""
        return (
            Check("a connection without `hello` is closed with 4004", "Life of a connection", self._silence),
        )

    async def _silence(self) -> None:
        client = await ScriptedClient.connect(self.server, "Ann")
        await client.expect_close(CloseCode.HELLO_TIMEOUT, HELLO_SECONDS + 5)
