"""Racers who play until the connection ends, and remember which actions were accepted."""

from websockets.exceptions import ConnectionClosed

from racetest.client import Client
from racetest.deals import Step, solution


def endless(n: int) -> Step:
    """Return the message of action `n` of a game that is never won: 20 moves, a restart, and again."""
    place = (n - 1) % 21
    return {"type": "restart"} if place == 20 else {"type": "move", **solution()[place]}


async def play_on(racer: Client, ahead: int = 4) -> None:
    """Play that endless game, some actions ahead of the answers, until the connection ends."""
    sent = racer.n
    try:
        while True:
            while sent < racer.n + ahead:
                sent += 1
                await racer.send(n=sent, **endless(sent))
            answer = await racer.answer(racer.n + 1)
            assert answer["type"] == "accepted", answer
    except ConnectionClosed:
        return
