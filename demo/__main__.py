"""A whole race to look at: a server of our own, four bots over real sockets, results, an offline check.

It is for those who have the source, and speaks English as that does.
"""

import asyncio
import random
import sys
import tempfile
from pathlib import Path
from typing import Final

import click
import msgspec

from client_cli.cli.options import game_code
from client_cli.core.errors import Failure
from client_cli.core.verify import Verification, read, verify
from client_cli.net.connection import UnreachableError
from client_cli.net.local_server import local_server
from demo.bot import Bot
from demo.bot_plan import Playstyle
from demo.host import Host
from demo.show import Show
from engine import GameCode
from protocol.parts import Settings
from protocol.record import FinishedRace

BOTS: Final = {
    "Ada": Playstyle(pace=0.22),
    "Ben": Playstyle(pace=0.17, detours=0.15),
    "陳小明": Playstyle(pace=0.20, wander=4, detours=0.05),
    "Dora": Playstyle(pace=0.30, patience=25),
}
"""Quick and straight; quicker with second thoughts; a wanderer; one who double-clicks and gives up."""

COUNTDOWN_SECONDS: Final = 3
PATIENCE_SECONDS: Final = 120.0
"""How long a race may take at speed 1 before something must be wrong."""


async def race(show: Show, settings: Settings, code: str | None, speed: float, seed: int) -> FinishedRace:
    """Let the bots race on a server of their own, show it, and return the race's record."""
    async with local_server() as server, asyncio.timeout(PATIENCE_SECONDS * max(1.0, 1 / speed)):
        show.say(f"A server of our own listens on {server.url}")
        host = Host(server, settings, code, show)
        async with asyncio.TaskGroup() as group:
            talking = [group.create_task(host.run())]
            room = await host.room()
            show.say(f"Friends would come in with: simonrace join {server.link(room)}")
            for number, (name, style) in enumerate(BOTS.items()):
                chance = random.Random(seed + number).random  # noqa: S311  # a bot's whims are no secret
                talking.append(
                    group.create_task(Bot(server, room, name, style, chance=chance, speed=speed).run())
                )
            with show.live():
                await host.race(len(BOTS))
            show.results(host.model)
            show.leaderboard(await host.leaderboard())
            record = await host.record()
            for task in talking:
                task.cancel()
        return record


def export(record: FinishedRace) -> Path:
    """Write a record into a file of the system's temporary folder, and return where it is."""
    with tempfile.NamedTemporaryFile(prefix="simonrace-", suffix=".json", delete=False) as file:
        file.write(msgspec.json.format(msgspec.json.encode(record), indent=1) + b"\n")
    return Path(file.name)


def run(settings: Settings, code: str | None, speed: float, seed: int) -> Verification:
    """Show a race, keep its record and check it offline. Raises Failure when something went wrong."""
    show = Show(sys.stdout)
    try:
        record = asyncio.run(race(show, settings, code, speed, seed))
    except TimeoutError:
        raise Failure("the race did not end in time") from None
    except ExceptionGroup as group:
        fault = group.exceptions[0]
        if isinstance(fault, Failure | UnreachableError):
            raise Failure(str(fault)) from None
        raise
    path = export(record)
    show.say(f"The race is kept in {path}")
    show.say(f"simonrace verify {path}")
    return verify(read(path.read_bytes()))


@click.command(context_settings={"show_default": True})
@click.option(
    "--speed",
    type=click.FloatRange(0.01, 100),
    default=1.0,
    envvar="SIMONRACE_SPEED",
    help="0.2 to watch it at leisure.",
)
@click.option(
    "--suits",
    type=click.Choice(["1", "2", "4"]),
    default="2",
    envvar="SIMONRACE_SUITS",
    help="Of a deal that is drawn.",
)
@click.option(
    "--code",
    callback=game_code,
    envvar="SIMONRACE_CODE",
    help="Game code to race on; without it one that can be won.",
)
@click.option(
    "--seed", type=int, envvar="SIMONRACE_SEED", help="The bots do the same again with the same number."
)
def cli(speed: float, suits: str, code: GameCode | None, seed: int | None) -> None:
    """Let four bots race over real sockets, and verify the result offline."""
    chosen = random.SystemRandom().getrandbits(32) if seed is None else seed
    settings = Settings(suits=int(suits), countdown_s=COUNTDOWN_SECONDS)
    try:
        found = run(settings, None if code is None else str(code), speed, chosen)
    except Failure as failure:
        raise click.ClickException(str(failure)) from None
    for fault in found.faults:
        click.echo(fault)
    click.echo(found.summary())
    if found.faults:
        sys.exit(1)


if __name__ == "__main__":
    cli()
