"""Requests by which a client identifies itself, enters a room and leaves it: hello, create, join, leave."""

import asyncio
from collections.abc import Callable

from protocol import from_client as ask
from protocol import from_server as say
from protocol.close_codes import CloseCode
from protocol.errors import ErrorCode
from protocol.version import VERSION
from protocol.words import language
from server.core import commands as cmd
from server.core import room_codes
from server.core.names import clean
from server.core.settings import check
from server.rooms.live_room import LiveRoom
from server.rooms.membership import Arrival
from server.rooms.room_log import Answer
from server.services.identity import Identity, password_hash
from server.sessions.context import SessionContext
from server.sessions.ports import Requester
from server.sessions.replies import Reply
from server.store.port import StoreError
from server.transport import counted_address


def hello(context: SessionContext, session: Requester, request: ask.Hello, reply: Reply) -> None:
    """Identify a client: create an identity, or check the one it has."""
    name = clean(request.name)
    if session.player:
        reply.error(ErrorCode.ALREADY_IDENTIFIED)
        return
    if name is None:
        reply.error(ErrorCode.BAD_NAME)
        return
    session.introduce(name, language(request.lang))
    session.hold()
    if request.player is None and request.token is None:
        _mint(context, session, request, reply)
    else:
        session.spawn(_check(context, session, request, reply))


def _mint(context: SessionContext, session: Requester, request: ask.Hello, reply: Reply) -> None:
    address = counted_address(session.address)
    if not context.players_quota.take(address, context.monotonic()):
        reply.error(ErrorCode.TOO_MANY_PLAYERS)
        session.release()
        return

    def minted(identity: Identity | None, token: str) -> None:
        if identity is None:
            context.players_quota.give_back(address, context.monotonic())
            reply.error(ErrorCode.STORE_UNAVAILABLE)
            session.release()
        else:
            _welcome(context, session, request, reply, identity=identity, token=token)

    context.identities.mint(minted)


async def _check(context: SessionContext, session: Requester, request: ask.Hello, reply: Reply) -> None:
    player, token = request.player or "", request.token or ""
    try:
        identity = await context.identities.authenticate(player, token)
    except StoreError:
        reply.error(ErrorCode.STORE_UNAVAILABLE)
        session.release()
        return
    if identity is not None:
        _welcome(context, session, request, reply, identity=identity)
    else:
        reply.error(ErrorCode.BAD_TOKEN)
        session.close(CloseCode.BAD_TOKEN)


def _welcome(
    context: SessionContext,
    session: Requester,
    request: ask.Hello,
    reply: Reply,
    *,
    identity: Identity,
    token: str | None = None,
) -> None:
    session.identify(identity)
    _count_program(context, identity.player, request.client)
    reply.send(
        say.Welcome(
            ref=request.ref,
            protocol=VERSION,
            server=context.version,
            player=identity.player,
            token=token,
            name=session.name,
            clock_ms=context.now_ms(),
        )
    )
    session.release()


def _count_program(context: SessionContext, player: str, client: str) -> None:
    """Count and log the client program; the first `hello` of each is logged at level info."""
    program = context.programs.count(client)
    first = context.programs.hellos[program] == 1
    (context.log.info if first else context.log.debug)("hello", player=player, client=program)


def create(context: SessionContext, session: Requester, request: ask.Create, reply: Reply) -> None:
    """Open a room, with the client in it."""
    checked = check(request.settings, request.code)
    if isinstance(checked, ErrorCode):
        reply.error(checked)
        return
    refusal = _why_not_open(context, session)
    if refusal is not None:
        reply.error(refusal)
        return
    session.hold()
    command = cmd.OpenRoom(session.player, session.name, context.node, checked.settings, checked.code, None)

    def opened(room: LiveRoom | None, answer: Answer) -> None:
        if room is None:
            context.rooms_quota.give_back(counted_address(session.address), context.monotonic())
            reply.error(answer if isinstance(answer, ErrorCode) else ErrorCode.STORE_UNAVAILABLE)
            session.release()
        else:
            attached = _attached(context, session, room, reply)
            room.membership.attach(Arrival(session, session.player, request.ref, reply.send, attached))

    context.rooms.open(command, lambda code: password_hash(code, request.password), opened)


def _why_not_open(context: SessionContext, session: Requester) -> ErrorCode | None:
    if session.room is not None:
        return ErrorCode.ALREADY_IN_ROOM
    if context.draining:
        return ErrorCode.DRAINING
    if context.rooms.full:
        return ErrorCode.SERVER_FULL
    if not context.rooms_quota.take(counted_address(session.address), context.monotonic()):
        return ErrorCode.TOO_MANY_ROOMS
    return None


def join(context: SessionContext, session: Requester, request: ask.Join, reply: Reply) -> None:
    """Enter a room, or return to it."""
    if session.room is not None and session.room.code != room_codes.normalize(request.room):
        reply.error(ErrorCode.ALREADY_IN_ROOM)
        return
    session.hold()
    session.spawn(_join(context, session, request, reply))


async def _join(context: SessionContext, session: Requester, request: ask.Join, reply: Reply) -> None:
    code, password = room_codes.normalize(request.room), None
    guesser, guesses = f"{code} {counted_address(session.address)}", False
    try:
        room = await context.rooms.find(code)
        if room is not None and room.room.password is not None and request.password is not None:
            guesses = session.player not in room.room.members  # a member needs no password
            if guesses and not context.password_tries.take(guesser, context.monotonic()):
                reply.error(ErrorCode.TOO_MANY_TRIES)
                session.release()
                return
            # In a thread: the hash is slow on purpose, and other clients must not wait for it.
            password = await asyncio.to_thread(password_hash, code, request.password)
            room = await context.rooms.find(code)  # it may have been unloaded meanwhile
    except StoreError:
        if guesses:
            context.password_tries.give_back(guesser, context.monotonic())
        reply.error(ErrorCode.STORE_UNAVAILABLE)
        session.release()
        return
    if room is None:
        reply.error(ErrorCode.NO_SUCH_ROOM)
        session.release()
        return
    attached = _attached(context, session, room, reply)

    def judged(refusal: ErrorCode | None) -> None:
        if guesses and refusal is not ErrorCode.WRONG_PASSWORD:
            context.password_tries.give_back(guesser, context.monotonic())
        attached(refusal)

    command = cmd.JoinRoom(session.player, session.name, context.node, request.spectate, password)
    arrival = Arrival(session, session.player, request.ref, reply.send, judged, request.seen)
    room.membership.join(arrival, command)


def _attached(
    context: SessionContext, session: Requester, room: LiveRoom, reply: Reply
) -> Callable[[ErrorCode | None], None]:
    """Return what to do once a client is attached to a room, or is refused."""

    def attached(refusal: ErrorCode | None) -> None:
        if refusal is None:
            session.entered(room)
            if session.newcomer is not None:
                context.identities.establish(session.newcomer)
                session.established()
            if session.gone:  # it ended before it was attached
                room.membership.disconnected(session.player, session)
        else:
            reply.error(refusal)
        session.release()

    return attached


def leave(session: Requester, request: ask.Leave, reply: Reply) -> None:
    """Give up the seat; the client receives the same event as the other members."""
    room = session.room
    if room is None:
        reply.error(ErrorCode.NOT_IN_ROOM)
        return

    def left(answer: Answer) -> None:
        if isinstance(answer, ErrorCode):
            reply.error(answer)
        else:
            reply.send(say.Done(ref=request.ref))
        session.release()

    session.hold()
    room.leave(session.player, left)
