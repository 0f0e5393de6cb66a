"""Put a session together and see it through: identity, link, face, connection."""

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
from client_cli.core.conversation import ConnectionEnd, Conversation, Identity
from client_cli.core.errors import Failure
from client_cli.core.translatable import gettext_noop as _
from client_cli.files.identity import Identities, IdentityFileError, folder
from client_cli.files.message_log import LoggingListener, MessageLog
from client_cli.line.line_reader import LineReader
from client_cli.line.pipe import NobodyReadsError, PipeFrontend
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
"""What programs return that Ctrl-C, or SIGTERM, has ended."""

_MISTAKE: Final = _(
    "The client has made a mistake: {fault}. Run it again with --log FILE, and report what the file holds."
)
_WRONG_PASSWORD: Final = ErrorCode.WRONG_PASSWORD.sentence

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Setup:
    """What all commands that talk to a server have in common, as it was typed."""

    server: Server
    translate: Translation
    name: str | None
    json: bool
    plain: bool
    line: bool
    ascii_only: bool
    log: Path | None = None


def be_in_room(
    setup: Setup, goal: from_client.Create | from_client.Join, *first: from_client.FromClient
) -> None:
    """Be in a room until it is left; `first` is asked as soon as one is there. May raise Failure."""

    def session(message_log: MessageLog) -> Coroutine[Any, Any, ConnectionEnd]:
        return _session(setup, goal, first, message_log)

    verdict = _run(setup, session)
    while isinstance(goal, from_client.Join) and verdict.sentence == _WRONG_PASSWORD and _asks(setup):
        click.echo(setup.translate(_WRONG_PASSWORD), err=True)
        password = click.prompt(
            setup.translate("Password of the room"),
            hide_input=True,
            prompt_suffix=setup.translate(": "),
            err=True,
        )
        goal = msgspec.structs.replace(goal, password=password)
        verdict = _run(setup, session)
    if verdict.sentence:
        raise Failure(setup.translate.sentence(verdict.sentence))


def look_up(setup: Setup, code: str) -> from_server.Leaderboard:
    """Ask a server for the leaderboards of a game code. May raise Failure."""
    return _run(setup, lambda message_log: _look_up(setup, code, message_log))


def _asks(setup: Setup) -> bool:
    """Return whether there is somebody who can be asked for something."""
    return not setup.plain and sys.stdin is not None and sys.stdin.isatty() and can_draw(sys.stdout)


def _run(setup: Setup, work: Callable[[MessageLog], Coroutine[Any, Any, T]]) -> T:
    try:
        with MessageLog.open(setup.log) as message_log:
            return asyncio.run(_until_terminated(work(message_log)))
    except (UnreachableError, IdentityFileError) as fault:
        raise Failure(setup.translate.sentence(fault.args[0])) from None
    except NobodyReadsError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nothing is left to be flushed
        sys.exit(0)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except asyncio.CancelledError:
        sys.exit(TERMINATED)


async def _until_terminated(work: Coroutine[Any, Any, T]) -> T:
    """Let SIGTERM end the work as Ctrl-C does, so that the terminal is given back."""
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
    typed: TextIO | None = sys.stdin  # None where the input was closed
    drawn = typed is not None and typed.isatty() and can_draw(sys.stdout)
    if drawn and not (setup.plain or setup.line):
        return await _full_screen(setup, goal, first, message_log)
    scripted = setup.plain or not drawn
    reader = LineReader(typed.fileno(), typed.encoding) if typed else LineReader(None)
    conversation, keep = _conversation(setup, goal, keep_early_actions=scripted)
    for request in first:
        conversation.submit_request(request)
    if scripted:
        pipe = PipeFrontend(sys.stdout, conversation, setup.server, translate=setup.translate)
        return await _talk(
            setup, Session(conversation, pipe, keep, scripted=True), conversation, reader, message_log
        )
    frontend = TerminalFrontend(
        sys.stdout, conversation, setup.server, ascii_only=setup.ascii_only, translate=setup.translate
    )
    drawing = asyncio.create_task(frontend.draw())
    try:
        return await _talk(
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
            connect=lambda watcher: _connection(setup, conversation, watcher, message_log),
            keep=keep,
            style=style,
            home=folder(os.environ),
            colours="NO_COLOR" not in os.environ,
        )
    except (UnreachableError, IdentityFileError):
        raise
    except Exception as fault:
        message_log.note("".join(traceback.format_exception(fault)).rstrip())
        raise Failure(setup.translate(_MISTAKE, fault=repr(fault))) from None
    finally:
        print_lines(farewell(conversation.model, style))


async def _talk(
    setup: Setup, session: Session, conversation: Conversation, reader: LineReader, message_log: MessageLog
) -> ConnectionEnd:
    return await session.run(_connection(setup, conversation, session, message_log), reader)


def _connection(
    setup: Setup, conversation: Conversation, watcher: ConnectionListener, message_log: MessageLog
) -> Connection:
    logged = watcher if setup.log is None else LoggingListener(watcher, message_log)
    return Connection(setup.server, conversation, logged, JSON_CODEC if setup.json else MSGPACK_CODEC)


async def _look_up(setup: Setup, code: str, message_log: MessageLog) -> from_server.Leaderboard:
    conversation, keep = _conversation(setup, None, keep_early_actions=False)
    conversation.submit_request(from_client.SubscribeLeaderboard(code=code))
    once = LeaderboardQuery(conversation)
    talking = asyncio.create_task(_connection(setup, conversation, once, message_log).run())
    either: set[asyncio.Future[Any]] = {talking, once.answer}
    await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
    talking.cancel()
    ended = (await asyncio.gather(talking, return_exceptions=True))[0]
    if isinstance(ended, UnreachableError):
        raise ended
    if conversation.identity is not None:
        keep(conversation.identity)
    if not once.answer.done():
        raise Failure(
            setup.translate(ended.sentence if isinstance(ended, ConnectionEnd) else _("The server hung up."))
        )
    answer = once.answer.result()
    if isinstance(answer, from_server.Error):
        raise Failure(server_texts.error(setup.translate, answer))
    return answer


def _conversation(
    setup: Setup, goal: from_client.Create | from_client.Join | None, *, keep_early_actions: bool
) -> tuple[Conversation, Callable[[Identity], None]]:
    """Return a link for whoever sits here, and what keeps the identity that the server gives."""
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
    return conversation, lambda identity: identities.keep(
        setup.server.url, name, identity, spectator=spectator
    )


def _login_name() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "Player"
