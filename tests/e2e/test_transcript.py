"""The race in the quick start of PROTOCOL.md, sent to a real server: its answers are those of the guide."""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from racetest import CODE, PATIENCE_S, Client, Connect, Message, StartNode

from protocol.docs import vectors

WIRE = Path(__file__).parents[1] / "data" / "wire"
LINES = vectors.read_race((WIRE / "race.json").read_text(encoding="utf-8"))
PEOPLE = ("Ann", "Bo")

TIMES = {"clock_ms", "elapsed_ms", "at_ms", "reached_ms", "starts_in_ms"}


def without_chance(value: Any, names: Mapping[str, str]) -> Any:
    """Replace ids, tokens and the room's code by `names`, and times by 0."""
    match value:
        case {"kind": "time", "rows": rows}:
            return {"kind": "time", "rows": without_chance([{**row, "value": 0} for row in rows], names)}
        case dict():
            return {key: 0 if key in TIMES else without_chance(each, names) for key, each in value.items()}
        case list():
            return [without_chance(each, names) for each in value]
        case str():
            for chance, name in names.items():
                value = value.replace(chance, name)
            return value
        case _:
            return value


def chance_of(message: Message, who: str) -> dict[str, str]:
    """Return the values that a message introduces and that differ from race to race."""
    match message:
        case {"type": "welcome", "player": player, "token": token}:
            return {player: f"player of {who}", token: f"token of {who}"}
        case {"type": "room", "room": room}:
            return {room: "ROOM"}
        case _:
            return {}


class Actor:
    """One of the two racers. Messages are read in their order, but standings apart from the others."""

    def __init__(self, client: Client) -> None:
        self.socket = client.socket
        self.early: list[Message] = []

    async def receives(self, *, standings: bool = False) -> Message:
        """Return the next message that is, or is not, one of the standings."""
        while True:
            message = self.early.pop(0) if self.early and not standings else await self._receive()
            if (message["type"] == "standings") is standings:
                return message
            if standings:
                self.early.append(message)

    async def _receive(self) -> Message:
        message: Message = json.loads(await self.socket.recv())
        return message


async def test_the_quick_start_is_what_a_server_answers(node: StartNode, person: Connect) -> None:
    """Every line of both is equal but for ids, tokens, the code of the room, and times.

    The server can send more standings than the transcript has; those of the transcript are among them.
    """
    where = await node()
    eve = await person(where, "Eve")
    await eve.ask("subscribe_leaderboard", code=CODE)
    clients = {who: await Client(eve.url, who, "json").open() for who in PEOPLE}
    actors = {who: Actor(client) for who, client in clients.items()}
    written: dict[str, str] = {}
    real: dict[str, str] = {}
    async with asyncio.timeout(5 + PATIENCE_S):  # its countdown is five seconds
        for line in LINES:
            actor = actors[line.who]
            if line.sends:
                message = json.loads(line.sends)
                if "room" in message:
                    message["room"] = next(code for code, name in real.items() if name == "ROOM")
                if message["type"] == "subscribe_leaderboard":
                    await eve.expect("leaderboard")  # the race is on it, a moment after its end
                await actor.socket.send(json.dumps(message))
                continue
            expected = json.loads(line.receives)
            written |= chance_of(expected, line.who)
            if expected["type"] == "standings":
                while without_chance(await actor.receives(standings=True), real) != (
                    without_chance(expected, written)
                ):
                    pass
                continue
            message = await actor.receives()
            real |= chance_of(message, line.who)
            assert without_chance(message, real) == without_chance(expected, written)
    for client in clients.values():
        await client.close()


def test_the_times_of_the_transcript_are_those_of_one_race() -> None:
    """They increase, and the time of the win is the same in every message."""
    heard = [json.loads(line.receives) for line in LINES if line.receives]
    at = [message["at_ms"] for message in heard if message["type"] == "accepted"]
    assert at == sorted(at)
    [won] = {message["at_ms"] for message in heard if message["type"] == "racer_won"}
    [leaderboard] = [message for message in heard if message["type"] == "leaderboard"]
    [times] = [each for each in leaderboard["leaderboards"] if each["kind"] == "time"]
    results = [message["results"][0] for message in heard if message["type"] == "race_ended"]
    assert {max(at), times["rows"][0]["value"], *(row["reached_ms"] for row in results)} == {won}
