"""Start of the full screen: connect, and open the screen once there is a room to show."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import click

from client_cli.core.addresses import Server
from client_cli.core.connection_end import ConnectionEnd
from client_cli.core.conversation import Conversation, Identity
from client_cli.files import preferences
from client_cli.net.connection import Connection, ConnectionListener, UnreachableError
from client_cli.text.style import Style
from client_cli.tui.controller import Controller
from client_cli.tui.ports import TerminalApp

RunApp = Callable[[TerminalApp], Awaitable[None]]


async def full_screen(
    conversation: Conversation,
    server: Server,
    *,
    connect: Callable[[ConnectionListener], Connection],
    keep: Callable[[Identity], None],
    style: Style,
    home: Path,
    colours: bool,
    run: RunApp | None = None,
) -> ConnectionEnd:
    """Show the room on the full screen until the player leaves; return why it ended.

    Before there is a room no screen is opened: a failure is returned, or raised by the connection, and the
    reasons to wait are printed to standard error. `connect` makes the connection; `run` runs the app in place
    of the terminal.
    """
    controller = Controller(conversation, server, style, preferences.read(home), keep)
    connection = connect(controller)
    controller.use_connection(connection.nudge, partial(click.echo, err=True))
    talking = asyncio.create_task(connection.run())
    try:
        # Textual takes a third of a second to load; the server answers meanwhile.
        loading = asyncio.create_task(asyncio.to_thread(_load_textual))
        entering = asyncio.create_task(controller.entered.wait())
        await asyncio.wait({talking, entering}, return_when=asyncio.FIRST_COMPLETED)
        entering.cancel()
        await loading
        if talking.done():
            return talking.result()
        return await _show(controller, talking, run or _run_in_terminal, home, colours=colours)
    finally:
        talking.cancel()
        await asyncio.gather(talking, return_exceptions=True)


def _load_textual() -> None:
    import client_cli.tui.app  # noqa: F401, PLC0415


async def _run_in_terminal(app: TerminalApp) -> None:
    await app.run_async()
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError  # Textual restores the terminal and swallows the cancellation


async def _show(
    controller: Controller, talking: "asyncio.Task[ConnectionEnd]", run: RunApp, home: Path, *, colours: bool
) -> ConnectionEnd:
    from client_cli.tui.app import RaceApp  # noqa: PLC0415

    app = RaceApp(controller, home, colours=colours)
    ended: list[ConnectionEnd] = []

    def on_end(task: "asyncio.Task[ConnectionEnd]") -> None:
        if not task.cancelled():
            ended.append(_verdict(task))
            controller.ended(ended[0].sentence)

    talking.add_done_callback(on_end)
    await run(app)
    if app.failure is not None:
        raise app.failure
    return ended[0] if ended else ConnectionEnd(False, "")


def _verdict(task: "asyncio.Task[ConnectionEnd]") -> ConnectionEnd:
    error = task.exception()
    if isinstance(error, UnreachableError):
        return ConnectionEnd(False, error.args[0])
    return task.result()
