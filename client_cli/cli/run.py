"""Run a command that talks to a server: put identity, conversation, front end and connection together."""

import asyncio
import contextlib
import getpass
import os
import signal
import sys
import traceback
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, TextIO, TypeVar

import click
import msgspec

from client_cli.core.addresses import Server
from client_cli.core.connection_end import ConnectionEnd
from client_cli.core.conversation import Conversation, Identity
from client_cli.core.errors import Failure
from client_cli.core.translatable import gettext_noop as _
from client_cli.files.identity import Identities, IdentityFileError, folder
from client_cli.files.message_log import LoggingListener, MessageLog
from client_cli.line.line_reader import LineReader
from client_cli.line.pipe import PipeClosedError, PipeFrontend
from client_cli.line.screen import can_draw, print_lines, style_of
from client_cli.line.session import Session
from client_cli.line.terminal import TerminalFrontend
from client_cli.net.connection import Connection, ConnectionListener, UnreachableError
from client_cli.net.leaderboard_query import LeaderboardQuery
from client_cli.text import server_texts
from client_cli.text.tables import farewell
from client_cli.text.translation import Translation
from protocol import from_client, from_server
from protocol.codec import JSON_CODEC, MSGPACK_CODEC
from protocol.errors import ErrorCode

INTERRUPTED: Final = 130
TERMINATED: Final = 143
"""Exit codes of a program that Ctrl-C or SIGTERM has ended."""

_CRASHED: Final = _(
    "The client failed: {fault}. Run it again with --log FILE, and report the contents of the file."
)
_WRONG_PASSWORD: Final = ErrorCode.WRONG_PASSWORD.sentence

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Setup:
    """Options that all commands with a server share."""

    server: Server
    translate: Translation
    name: str | None
    json: bool
    plain: bool
    line: bool
    ascii_only: bool
    log: Path | None = None


def stay_in_room(
    setup: Setup, goal: from_client.Create | from_client.Join, *first: from_client.FromClient
) -> None:
    """Stay in a room until it is left; send `first` as soon as it is entered. Raises Failure."""

    def session(message_log: MessageLog) -> Coroutine[Any, Any, ConnectionEnd]:
        return _session(setup, goal, first, message_log)

    end = _run(setup, session)
    while isinstance(goal, from_client.Join) and end.sentence == _WRONG_PASSWORD and _can_prompt(setup):
        click.echo(setup.translate(_WRONG_PASSWORD), err=True)
        password = click.prompt(
            setup.translate("Password of the room"),
            hide_input=True,
            prompt_suffix=setup.translate(": "),
            err=True,
        )
        goal = msgspec.structs.replace(goal, password=password)
        end = _run(setup, session)
    if end.sentence:
        raise Failure(setup.translate.sentence(end.sentence))


def get_leaderboard(setup: Setup, code: str) -> from_server.Leaderboard:
    """Return the leaderboards of a game code from a server. Raises Failure."""
    return _run(setup, lambda message_log: _get_leaderboard(setup, code, message_log))


def _can_prompt(setup: Setup) -> bool:
    """Return whether a person at a terminal can be asked for something."""
    return not setup.plain and sys.stdin is not None and sys.stdin.isatty() and can_draw(sys.stdout)


def _run(setup: Setup, work: Callable[[MessageLog], Coroutine[Any, Any, T]]) -> T:
    try:
        with MessageLog.open(setup.log) as message_log:
            return asyncio.run(_until_terminated(work(message_log)))
    except (UnreachableError, IdentityFileError) as fault:
        raise Failure(setup.translate.sentence(fault.args[0])) from None
    except PipeClosedError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nothing more is flushed
        sys.exit(0)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except asyncio.CancelledError:
        sys.exit(TERMINATED)


async def _until_terminated(work: Coroutine[Any, Any, T]) -> T:
    """Cancel the work at SIGTERM, as Ctrl-C does, so that the terminal is restored."""
    task = asyncio.ensure_future(work)
    with contextlib.suppress(NotImplementedError):
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    return await task


async def _session(
    setup: Setup,
    goal: from_client.Create | from_client.Join,
    first: tuple[from_client.FromClient, ...],
    message_log: MessageLog,
) -> ConnectionEnd:
    stdin: TextIO | None = sys.stdin  # None if the input is closed
    drawn = stdin is not None and stdin.isatty() and can_draw(sys.stdout)
    if drawn and not (setup.plain or setup.line):
        return await _full_screen(setup, goal, first, message_log)
    scripted = setup.plain or not drawn
    reader = LineReader(stdin.fileno(), stdin.encoding) if stdin else LineReader(None)
    conversation, keep = _conversation(setup, goal, keep_early_actions=scripted)
    for request in first:
        conversation.submit_request(request)
    if scripted:
        pipe = PipeFrontend(sys.stdout, conversation, setup.server, translate=setup.translate)
        return await _run_session(
            setup, Session(conversation, pipe, keep, scripted=True), conversation, reader, message_log
        )
    frontend = TerminalFrontend(
        sys.stdout, conversation, setup.server, ascii_only=setup.ascii_only, translate=setup.translate
    )
    drawing = asyncio.create_task(frontend.draw())
    try:
        return await _run_session(
            setup, Session(conversation, frontend, keep, scripted=False), conversation, reader, message_log
        )
    finally:
        drawing.cancel()
        await asyncio.gather(drawing, return_exceptions=True)
        print_lines(frontend.farewell())


async def _full_screen(
    setup: Setup,
    goal: from_client.Create | from_client.Join,
    first: tuple[from_client.FromClient, ...],
    message_log: MessageLog,
) -> ConnectionEnd:
    from client_cli.tui.start import full_screen  # noqa: PLC0415

    conversation, keep = _conversation(setup, goal, keep_early_actions=False)
    for request in first:
        conversation.submit_request(request)
    style = style_of(sys.stdout, ascii_only=setup.ascii_only, translate=setup.translate)
    try:
        return await full_screen(
            conversation,
            setup.server,
            connect=lambda listener: _connection(setup, conversation, listener, message_log),
            keep=keep,
            style=style,
            home=folder(os.environ),
            colours="NO_COLOR" not in os.environ,
        )
    except (UnreachableError, IdentityFileError):
        raise
    except Exception as fault:
        message_log.note("".join(traceback.format_exception(fault)).rstrip())
        raise Failure(setup.translate(_CRASHED, fault=repr(fault))) from None
    finally:
        print_lines(farewell(conversation.model, style))


async def _run_session(
    setup: Setup, session: Session, conversation: Conversation, reader: LineReader, message_log: MessageLog
) -> ConnectionEnd:
    return await session.run(_connection(setup, conversation, session, message_log), reader)


def _connection(
    setup: Setup, conversation: Conversation, listener: ConnectionListener, message_log: MessageLog
) -> Connection:
    logged = listener if setup.log is None else LoggingListener(listener, message_log)
    return Connection(setup.server, conversation, logged, JSON_CODEC if setup.json else MSGPACK_CODEC)


async def _get_leaderboard(setup: Setup, code: str, message_log: MessageLog) -> from_server.Leaderboard:
    conversation, keep = _conversation(setup, None, keep_early_actions=False)
    conversation.submit_request(from_client.SubscribeLeaderboard(code=code))
    query = LeaderboardQuery(conversation)
    running = asyncio.create_task(_connection(setup, conversation, query, message_log).run())
    either: set[asyncio.Future[Any]] = {running, query.answer}
    await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
    running.cancel()
    ended = (await asyncio.gather(running, return_exceptions=True))[0]
    if isinstance(ended, UnreachableError):
        raise ended
    if conversation.identity is not None:
        keep(conversation.identity)
    if not query.answer.done():
        raise Failure(
            setup.translate(
                ended.sentence if isinstance(ended, ConnectionEnd) else _("The server closed the connection.")
            )
        )
    answer = query.answer.result()
    if isinstance(answer, from_server.Error):
        raise Failure(server_texts.error(setup.translate, answer))
    return answer


def _conversation(
    setup: Setup, goal: from_client.Create | from_client.Join | None, *, keep_early_actions: bool
) -> tuple[Conversation, Callable[[Identity], None]]:
    """Return a conversation for the user, and a function that saves the identity the server gives."""
    identities = Identities(folder(os.environ))
    name = identities.last_name() or _login_name() if setup.name is None else setup.name
    spectator = isinstance(goal, from_client.Join) and goal.spectate
    conversation = Conversation(
        name,
        goal,
        identities.get(setup.server.url, name, spectator=spectator),
        lang=setup.translate.tag,
        client=f"simonrace/{version('simon-race')}",
        keep_early_actions=keep_early_actions,
    )
    return conversation, lambda identity: identities.save(
        setup.server.url, name, identity, spectator=spectator
    )


def _login_name() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "Player"
