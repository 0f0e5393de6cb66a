"""Hello, create, join, leave: how a connection becomes somebody, somewhere."""

import asyncio
from typing import TYPE_CHECKING

from protocol import from_client as ask
from protocol import from_server as say
from protocol.closes import CloseCode
from protocol.errors import ErrorCode
from protocol.version import VERSION
from protocol.words import language
from server.core import codes
from server.core import commands as cmd
from server.core.names import clean
from server.core.settings import check
from server.identity import Identity, password_hash
from server.rooms.desk import Answer
from server.rooms.door import Entered
from server.rooms.live import LiveRoom
from server.store.port import StoreError
from server.transport import counted_address

if TYPE_CHECKING:
    from server.sessions.lounge import Lounge
    from server.sessions.session import Session


def hello(session: "Session", hello: ask.Hello) -> None:
    """Greet a client: mint an identity, or check the one it has."""
    name = clean(hello.name)
    if session.player:
        session.error(ErrorCode.ALREADY_GREETED, hello.ref)
        return
    if name is None:
        session.error(ErrorCode.BAD_NAME, hello.ref)
        return
    session.name, session.lang = name, language(hello.lang)
    session.hold()
    if hello.player is None and hello.token is None:
        _mint(session, hello)
    else:
        session.spawn(_check(session, hello))


def _mint(session: "Session", hello: ask.Hello) -> None:
    lounge, address = session.lounge, counted_address(session.address)
    if not lounge.players_quota.take(address, lounge.monotonic()):
        session.error(ErrorCode.TOO_MANY_PLAYERS, hello.ref)
        session.go_on()
        return

    def minted(identity: Identity | None, token: str) -> None:
        if identity is None:
            lounge.players_quota.give_back(address, lounge.monotonic())
            session.error(ErrorCode.STORE_AWAY, hello.ref)
            session.go_on()
        else:
            _welcome(session, hello, identity, token)

    lounge.identities.mint(minted)


async def _check(session: "Session", hello: ask.Hello) -> None:
    player, token = hello.player or "", hello.token or ""
    try:
        identity = await session.lounge.identities.recognized(player, token)
    except StoreError:
        session.error(ErrorCode.STORE_AWAY, hello.ref)
        session.go_on()
        return
    if identity is not None:
        _welcome(session, hello, identity, None)
    else:
        session.error(ErrorCode.BAD_TOKEN, hello.ref)
        session.close(CloseCode.BAD_TOKEN)


def _welcome(session: "Session", hello: ask.Hello, identity: Identity, token: str | None) -> None:
    session.player = identity.player
    session.lounge.strangers.discard(session)
    session.newcomer = None if identity.settled else identity
    _note(session.lounge, identity.player, hello.client)
    session.tell(
        say.Welcome(
            ref=hello.ref,
            protocol=VERSION,
            server=session.lounge.version,
            player=identity.player,
            token=token,
            name=session.name,
            clock=session.lounge.now_ms(),
        )
    )
    session.go_on()


def _note(lounge: "Lounge", player: str, client: str) -> None:
    """Count and log which program came; the first of each is worth a line to everybody who hosts."""
    program = lounge.programs.count(client)
    first = lounge.programs.hellos[program] == 1
    (lounge.log.info if first else lounge.log.debug)("hello", player=player, client=program)


def create(session: "Session", create: ask.Create) -> None:
    """Open a room, with the client in it."""
    lounge = session.lounge
    checked = check(create.settings, create.code)
    if isinstance(checked, ErrorCode):
        session.error(checked, create.ref)
        return
    refusal = _why_not_open(session)
    if refusal is not None:
        session.error(refusal, create.ref)
        return
    session.hold()
    command = cmd.Open(session.player, session.name, lounge.node, checked.settings, checked.code, None)

    def opened(room: LiveRoom | None, answer: Answer) -> None:
        if room is None:
            lounge.rooms_quota.give_back(counted_address(session.address), lounge.monotonic())
            session.error(answer if isinstance(answer, ErrorCode) else ErrorCode.STORE_AWAY, create.ref)
            session.go_on()
        else:
            room.door.attach(session, session.player, create.ref, _entered(session, room, create.ref))

    lounge.hall.open(command, lambda code: password_hash(code, create.password), opened)


def _why_not_open(session: "Session") -> ErrorCode | None:
    lounge = session.lounge
    if session.room is not None:
        return ErrorCode.ALREADY_IN_ROOM
    if lounge.draining:
        return ErrorCode.DRAINING
    if lounge.hall.full:
        return ErrorCode.SERVER_FULL
    if not lounge.rooms_quota.take(counted_address(session.address), lounge.monotonic()):
        return ErrorCode.TOO_MANY_ROOMS
    return None


def join(session: "Session", join: ask.Join) -> None:
    """Come into a room, or back."""
    if session.room is not None and session.room.code != codes.tidy(join.room):
        session.error(ErrorCode.ALREADY_IN_ROOM, join.ref)
        return
    session.hold()
    session.spawn(_join(session, join))


async def _join(session: "Session", join: ask.Join) -> None:
    lounge, code, password = session.lounge, codes.tidy(join.room), None
    guesser, guesses = f"{code} {counted_address(session.address)}", False
    try:
        room = await lounge.hall.find(code)
        if room is not None and room.room.password is not None and join.password is not None:
            guesses = session.player not in room.room.members  # who has a seat is not asked for it
            if guesses and not lounge.password_tries.take(guesser, lounge.monotonic()):
                session.error(ErrorCode.TOO_MANY_TRIES, join.ref)
                session.go_on()
                return
            # In a thread: it is slow on purpose, for those who guess, and all others are not to wait for it.
            password = await asyncio.to_thread(password_hash, code, join.password)
            room = await lounge.hall.find(code)  # nobody may have held it here meanwhile
    except StoreError:
        if guesses:
            lounge.password_tries.give_back(guesser, lounge.monotonic())
        session.error(ErrorCode.STORE_AWAY, join.ref)
        session.go_on()
        return
    if room is None:
        session.error(ErrorCode.NO_SUCH_ROOM, join.ref)
        session.go_on()
        return
    entered = _entered(session, room, join.ref)

    def judged(refusal: ErrorCode | None) -> None:
        if guesses and refusal is not ErrorCode.WRONG_PASSWORD:
            lounge.password_tries.give_back(guesser, lounge.monotonic())
        entered(refusal)

    command = cmd.Enter(session.player, session.name, lounge.node, join.watch, password)
    room.door.enter(session, command, join.seen, join.ref, judged)


def _entered(session: "Session", room: LiveRoom, ref: int) -> Entered:
    """Return what is to be done when a client is in a room, or is refused."""

    def entered(refusal: ErrorCode | None) -> None:
        if refusal is None:
            session.room = room
            if session.newcomer is not None:
                session.lounge.identities.settle(session.newcomer)
                session.newcomer = None
            if session.gone:  # before it was in
                room.door.drop(session.player, session)
        else:
            session.error(refusal, ref)
        session.go_on()

    return entered


def leave(session: "Session", leave: ask.Leave) -> None:
    """Give up the seat; what others see of it comes to the one who leaves, too."""
    room = session.room
    if room is None:
        session.error(ErrorCode.NOT_IN_ROOM, leave.ref)
        return

    def left(answer: Answer) -> None:
        if isinstance(answer, ErrorCode):
            session.error(answer, leave.ref)
        else:
            session.tell(say.Done(ref=leave.ref))

    room.depart(session.player, left)
