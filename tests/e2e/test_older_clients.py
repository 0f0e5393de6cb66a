"""Recorded clients, replayed frame by frame against the present server."""

import asyncio
from pathlib import Path

from racetest import StartNode, until
from sessions.replay import Replay

RECORDINGS = Path(__file__).parents[1] / "data" / "sessions"


async def test_recorded_clients_get_the_same_answers(node: StartNode) -> None:
    """Each recorded answer comes in its order with all its fields; new messages and fields can come, too.

    These recordings are never changed. A new one is added when the protocol has grown.
    """
    where = await node()
    host, port = where.address

    async def cut(player: str) -> None:
        await until(lambda: player not in {getattr(each, "player", "") for each in where.sessions.sessions})

    async def ranked(code: str) -> None:
        async def has_lines() -> bool:
            return bool((await where.sessions.leaderboards.read(code)).leaderboards[0].rows)

        await until(has_lines)

    recordings = sorted(RECORDINGS.glob("*.jsonl"))
    assert [each.name for each in recordings][:3] == [
        "javascript-example-1.jsonl",
        "python-example-1.jsonl",
        "terminal-0.1.0.jsonl",
    ]
    players = [Replay(f"ws://{host}:{port}", cut, ranked) for _ in recordings]
    await asyncio.gather(
        *(each.play(file.read_text()) for each, file in zip(players, recordings, strict=True))
    )
    assert all(each.compared > 20 for each in players)
