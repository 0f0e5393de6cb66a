"""Connect, and show the full screen once there is a room to show."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from client_cli.core.addresses import Server
from client_cli.core.connection_end import ConnectionEnd
from client_cli.core.conversation import Conversation, Identity
from client_cli.files import preferences
from client_cli.net.connection import Connection, ConnectionListener, UnreachableError
from client_cli.text.style import Style
from client_cli.tui.controller import Seat

if TYPE_CHECKING:
    from client_cli.tui.app import RaceApp


async def full_screen(
    conversation: Conversation,
    server: Server,
    *,
    connect: Callable[[ConnectionListener], Connection],
    keep: Callable[[Identity], None],
    style: Style,
    home: Path,
    colours: bool,
    run: "Callable[[RaceApp], Awaitable[None]] | None" = None,
) -> ConnectionEnd:
    """Be in a room with the full screen until it is left; return why it ended.

    What goes wrong before there is a room is returned, or raised by the connection, without a screen; what
    one has to wait for is a line on standard error.
    `connect` makes the connection; `run` runs the app in place of the terminal.
    """
    seat = Seat(conversation, server, style, preferences.read(home), keep)
    connection = connect(seat)
    seat.nudge = connection.nudge
    seat.aside = partial(click.echo, err=True)
    talking = asyncio.create_task(connection.run())
    try:
        # Textual takes a third of a second to load; the server answers meanwhile.
        loading = asyncio.create_task(asyncio.to_thread(_load))
        entering = asyncio.create_task(seat.entered.wait())
        await asyncio.wait({talking, entering}, return_when=asyncio.FIRST_COMPLETED)
        entering.cancel()
        await loading
        if talking.done():
            return talking.result()
        return await _show(seat, talking, run or _on_terminal, home, colours=colours)
    finally:
        talking.cancel()
        await asyncio.gather(talking, return_exceptions=True)


def _load() -> None:
    import client_cli.tui.app  # noqa: F401, PLC0415


async def _on_terminal(app: "RaceApp") -> None:
    await app.run_async()
    here = asyncio.current_task()
    if here is not None and here.cancelling():
        raise asyncio.CancelledError  # Textual has given the terminal back, and ended as if nothing had been


async def _show(
    seat: Seat,
    talking: "asyncio.Task[ConnectionEnd]",
    run: "Callable[[RaceApp], Awaitable[None]]",
    home: Path,
    *,
    colours: bool,
) -> ConnectionEnd:
    from client_cli.tui.app import RaceApp  # noqa: PLC0415

    app = RaceApp(seat, home, colours=colours)
    ended: list[ConnectionEnd] = []

    def over(task: "asyncio.Task[ConnectionEnd]") -> None:
        if not task.cancelled():
            ended.append(_verdict(task))
            seat.ended(ended[0].sentence)

    talking.add_done_callback(over)
    await run(app)
    if app.fault is not None:
        raise app.fault
    return ended[0] if ended else ConnectionEnd(False, "")


def _verdict(task: "asyncio.Task[ConnectionEnd]") -> ConnectionEnd:
    fault = task.exception()
    if isinstance(fault, UnreachableError):
        return ConnectionEnd(False, fault.args[0])
    return task.result()
