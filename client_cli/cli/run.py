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
from client_cli.core.conversation import Identity, Link, Verdict
from client_cli.core.errors import Failure
from client_cli.core.translatable import note as _
from client_cli.files.identity import Identities, IdentityFileError, folder
from client_cli.files.message_log import Journal, Logged
from client_cli.line.line_reader import LineReader
from client_cli.line.pipe import NobodyReadsError, PipeFace
from client_cli.line.screen import can_draw, look_of, print_lines
from client_cli.line.session import Session
from client_cli.line.terminal import TerminalFace
from client_cli.net.connection import Connection, UnreachableError, Watcher
from client_cli.net.once import Once
from client_cli.text import server_texts
from client_cli.text.tables import farewell
from client_cli.text.translation import Words
from protocol import from_client as say
from protocol import from_server as msg
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
    words: Words
    name: str | None
    json: bool
    plain: bool
    line: bool
    ascii_only: bool
    log: Path | None = None


def be_in_room(setup: Setup, goal: say.Create | say.Join, *first: say.FromClient) -> None:
    """Be in a room until it is left; `first` is asked as soon as one is there. May raise Failure."""

    def session(journal: Journal) -> Coroutine[Any, Any, Verdict]:
        return _session(setup, goal, first, journal)

    verdict = _run(setup, session)
    while isinstance(goal, say.Join) and verdict.sentence == _WRONG_PASSWORD and _asks(setup):
        click.echo(setup.words(_WRONG_PASSWORD), err=True)
        password = click.prompt(
            setup.words("Password of the room"), hide_input=True, prompt_suffix=setup.words(": "), err=True
        )
        goal = msgspec.structs.replace(goal, password=password)
        verdict = _run(setup, session)
    if verdict.sentence:
        raise Failure(setup.words.said(verdict.sentence))


def look_up(setup: Setup, code: str) -> msg.Leaderboard:
    """Ask a server for the leaderboards of a game code. May raise Failure."""
    return _run(setup, lambda journal: _look_up(setup, code, journal))


def _asks(setup: Setup) -> bool:
    """Return whether there is somebody who can be asked for something."""
    return not setup.plain and sys.stdin is not None and sys.stdin.isatty() and can_draw(sys.stdout)


def _run(setup: Setup, work: Callable[[Journal], Coroutine[Any, Any, T]]) -> T:
    try:
        with Journal.open(setup.log) as journal:
            return asyncio.run(_until_terminated(work(journal)))
    except (UnreachableError, IdentityFileError) as fault:
        raise Failure(setup.words.said(fault.args[0])) from None
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
    setup: Setup, goal: say.Create | say.Join, first: tuple[say.FromClient, ...], journal: Journal
) -> Verdict:
    typed: TextIO | None = sys.stdin  # None where the input was closed
    drawn = typed is not None and typed.isatty() and can_draw(sys.stdout)
    if drawn and not (setup.plain or setup.line):
        return await _full_screen(setup, goal, first, journal)
    scripted = setup.plain or not drawn
    reader = LineReader(typed.fileno(), typed.encoding) if typed else LineReader(None)
    link, keep = _link(setup, goal, patient=scripted)
    for request in first:
        link.ask(request)
    if scripted:
        pipe = PipeFace(sys.stdout, link, setup.server, words=setup.words)
        return await _talk(setup, Session(link, pipe, keep, scripted=True), link, reader, journal)
    face = TerminalFace(sys.stdout, link, setup.server, ascii_only=setup.ascii_only, words=setup.words)
    drawing = asyncio.create_task(face.draw())
    try:
        return await _talk(setup, Session(link, face, keep, scripted=False), link, reader, journal)
    finally:
        drawing.cancel()
        await asyncio.gather(drawing, return_exceptions=True)
        print_lines(face.farewell())


async def _full_screen(
    setup: Setup, goal: say.Create | say.Join, first: tuple[say.FromClient, ...], journal: Journal
) -> Verdict:
    from client_cli.tui.start import full_screen  # noqa: PLC0415

    link, keep = _link(setup, goal, patient=False)
    for request in first:
        link.ask(request)
    look = look_of(sys.stdout, ascii_only=setup.ascii_only, words=setup.words)
    try:
        return await full_screen(
            link,
            setup.server,
            connect=lambda watcher: _connection(setup, link, watcher, journal),
            keep=keep,
            look=look,
            home=folder(os.environ),
            colours="NO_COLOR" not in os.environ,
        )
    except (UnreachableError, IdentityFileError):
        raise
    except Exception as fault:
        journal.note("".join(traceback.format_exception(fault)).rstrip())
        raise Failure(setup.words(_MISTAKE, fault=repr(fault))) from None
    finally:
        print_lines(farewell(link.model, look))


async def _talk(setup: Setup, session: Session, link: Link, reader: LineReader, journal: Journal) -> Verdict:
    return await session.run(_connection(setup, link, session, journal), reader)


def _connection(setup: Setup, link: Link, watcher: Watcher, journal: Journal) -> Connection:
    logged = watcher if setup.log is None else Logged(watcher, journal)
    return Connection(setup.server, link, logged, JSON_CODEC if setup.json else MSGPACK_CODEC)


async def _look_up(setup: Setup, code: str, journal: Journal) -> msg.Leaderboard:
    link, keep = _link(setup, None, patient=False)
    link.ask(say.SubscribeLeaderboard(code=code))
    once = Once(link)
    talking = asyncio.create_task(_connection(setup, link, once, journal).run())
    either: set[asyncio.Future[Any]] = {talking, once.answer}
    await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
    talking.cancel()
    ended = (await asyncio.gather(talking, return_exceptions=True))[0]
    if isinstance(ended, UnreachableError):
        raise ended
    if link.identity is not None:
        keep(link.identity)
    if not once.answer.done():
        raise Failure(setup.words(ended.sentence if isinstance(ended, Verdict) else _("The server hung up.")))
    answer = once.answer.result()
    if isinstance(answer, msg.Error):
        raise Failure(server_texts.error(setup.words, answer))
    return answer


def _link(
    setup: Setup, goal: say.Create | say.Join | None, *, patient: bool
) -> tuple[Link, Callable[[Identity], None]]:
    """Return a link for whoever sits here, and what keeps the identity that the server gives."""
    identities = Identities(folder(os.environ))
    name = identities.last_name() or _login_name() if setup.name is None else setup.name
    spectator = isinstance(goal, say.Join) and goal.spectate
    link = Link(
        name,
        goal,
        identities.get(setup.server.url, name, spectator=spectator),
        lang=setup.words.tag,
        client=f"simonrace/{version('simon-race')}",
        patient=patient,
    )
    return link, lambda identity: identities.keep(setup.server.url, name, identity, spectator=spectator)


def _login_name() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "Player"
