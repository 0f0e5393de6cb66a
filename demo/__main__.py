"""Demo of a race: a local server, four bots over real sockets, the results, an offline verification.

Its texts are in English only, because only `make demo` in a checkout runs it.
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
    "Dora": Playstyle(pace=0.30, auto_moves=25),
}
"""A fast solver, one that makes detours, one that starts with random moves, and one that forfeits."""

COUNTDOWN_SECONDS: Final = 3
RACE_TIMEOUT_SECONDS: Final = 120.0
"""Longest duration of a race at speed 1; a longer one is an error."""


async def race(show: Show, settings: Settings, code: str | None, speed: float, seed: int) -> FinishedRace:
    """Run a race of the bots on a local server, show it, and return its record."""
    async with local_server() as server, asyncio.timeout(RACE_TIMEOUT_SECONDS * max(1.0, 1 / speed)):
        show.print_text(f"A local server listens on {server.url}")
        host = Host(server, settings, code, show)
        async with asyncio.TaskGroup() as group:
            running = [group.create_task(host.run())]
            room = await host.room()
            show.print_text(f"Friends would join with: simonrace join {server.room_link(room)}")
            for number, (name, style) in enumerate(BOTS.items()):
                chance = random.Random(seed + number).random  # noqa: S311  # no secret depends on it
                running.append(
                    group.create_task(Bot(server, room, name, style, chance=chance, speed=speed).run())
                )
            with show.live():
                await host.race(len(BOTS))
            show.results(host.model)
            show.leaderboard(await host.leaderboard())
            record = await host.record()
            for task in running:
                task.cancel()
        return record


def export(record: FinishedRace) -> Path:
    """Write a record to a temporary file and return its path."""
    with tempfile.NamedTemporaryFile(prefix="simonrace-", suffix=".json", delete=False) as file:
        file.write(msgspec.json.format(msgspec.json.encode(record), indent=1) + b"\n")
    return Path(file.name)


def run(settings: Settings, code: str | None, speed: float, seed: int) -> Verification:
    """Show a race, save its record and verify it offline. Raises Failure if the race failed."""
    show = Show(sys.stdout)
    try:
        record = asyncio.run(race(show, settings, code, speed, seed))
    except TimeoutError:
        raise Failure("The race did not end in time.") from None
    except ExceptionGroup as group:
        fault = group.exceptions[0]
        if isinstance(fault, Failure | UnreachableError):
            raise Failure(str(fault)) from None
        raise
    path = export(record)
    show.print_text(f"The race is saved in {path}")
    show.print_text(f"simonrace verify {path}")
    return verify(read(path.read_bytes()))


@click.command(context_settings={"show_default": True})
@click.option(
    "--speed",
    type=click.FloatRange(0.01, 100),
    default=1.0,
    envvar="SIMONRACE_SPEED",
    help="Speed of the bots; 0.2 is easy to follow.",
)
@click.option(
    "--suits",
    type=click.Choice(["1", "2", "4"]),
    default="2",
    envvar="SIMONRACE_SUITS",
    help="How many suits a random deal has.",
)
@click.option(
    "--code",
    callback=game_code,
    envvar="SIMONRACE_CODE",
    help="Game code of the race; by default a random deal that can be won.",
)
@click.option("--seed", type=int, envvar="SIMONRACE_SEED", help="Seed of the bots' random choices.")
def cli(speed: float, suits: str, code: GameCode | None, seed: int | None) -> None:
    """Run a race of four bots over real sockets and verify the result offline."""
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
