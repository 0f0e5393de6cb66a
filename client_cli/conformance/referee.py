"""The conformance run against a client: it connects to us, plays, and is treated badly.

The client is started by whoever tests it, joins any room, gets ready and makes moves, whichever; ten that the
rules allow are enough. When it has been told 4002 it is started once more.
"""

import asyncio
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final

import msgspec

from client_cli.backoff import BASE_SECONDS, CAP_SECONDS
from client_cli.conformance.chapter import Step, carry_out
from client_cli.conformance.listener import NEWS, Listener
from client_cli.conformance.pretence import HOST, ROOM, TOKEN, clock
from client_cli.conformance.report import Report
from client_cli.conformance.visitor import UnmetError
from client_cli.conformance.wire import Door, Guest, now
from protocol import from_client as say
from protocol import from_server as msg
from protocol.closes import CloseCode
from protocol.errors import ErrorCode
from protocol.notices import NoticeCode
from protocol.refusals import RefusalCode
from protocol.version import SUBPROTOCOLS, VERSION

PATIENCE_S: Final = 120.0
"""Seconds that we wait for people."""

TOLERANCE_S: Final = 1.0
"""Seconds that a client may be later than it should be: computers are busy."""

BACK_WITHIN_S: Final = CAP_SECONDS + 5.0
QUIET_S: Final = 2.5
"""Seconds in which a client that must not come back does not come back."""

RESTART_S: Final = 1.0
REFUSED_ATTEMPTS: Final = 4
SAME_SHARE: Final = 0.05
"""Waits that are all the same part of their bounds, up to this, have no jitter."""


class Refereeing:
    """All that is done to one client, in order."""

    def __init__(self, door: Door, listener: Listener, tell: Callable[[str], None]) -> None:
        self.door, self.stage, self.tell = door, listener, tell
        self.guest: Guest | None = None
        self.hello = say.Hello(name="")
        self.join: say.FromClient | None = None

    def steps(self) -> Sequence[Step]:
        """Return what to check."""
        connecting, life, resuming = "Connecting", "Life of a connection", "Resuming"
        numbers, behaves = "Ordering, acknowledgement, repetition", "How a client behaves"
        return (
            Step("it connects", connecting, self._connects, True),
            Step("it offers a subprotocol of this protocol", connecting, self._subprotocol),
            Step("it says `hello` first", life, self._hello, True),
            Step("it says which program it is", behaves, self._says_who),
            Step("it takes unknown fields and messages, and enters a room", "Versions", self._enters, True),
            Step("it gets ready, and numbers its first action 1", numbers, self._races, True),
            Step(
                "it comes back by itself, at once, when the connection is lost",
                behaves,
                self._comes_back,
                True,
            ),
            Step("it is the same person then", resuming, self._same_person),
            Step("it joins the same room with the last `seq` that it saw", resuming, self._seen),
            Step("what was done without an answer is not done again", numbers, self._done_once, True),
            Step("what was lost is sent under the same number", numbers, self._lost_action, True),
            Step("a refusal that it does not know leaves the number free", "Refusals", self._refused, True),
            Step("after `too_fast` it waits, and sends the same again", behaves, self._too_fast, True),
            Step("a snapshot replaces all that it knew", resuming, self._snapshot, True),
            Step("after `restarting` it waits as long as it was told", "Notices", self._restarting, True),
            Step("it backs off with full jitter while it is not let in", behaves, self._backs_off, True),
            Step("it plays on after all of this", behaves, self._plays_on, True),
            Step("after 4002 it does not come back", "Close codes", self._replaced),
            Step("started again it is still the same person", life, self._started_again, True),
            Step("after 4003 it does not come back as that person", "Close codes", self._bad_token),
        )

    # The first connection.

    async def _connects(self) -> None:
        self.tell(f"Let your client connect to {self.door.url}, join room {ROOM}, get ready and make moves,")
        self.tell("until it is told that it was replaced.")
        self.guest = await self.stage.next_guest(self.stage.patience, "a client")

    async def _subprotocol(self) -> None:
        if self.guest is None or self.guest.subprotocol not in SUBPROTOCOLS:
            raise UnmetError(f"one of {', '.join(SUBPROTOCOLS)}", "none of them")

    async def _hello(self) -> None:
        self.hello = await self._greeting()
        await self._welcome(new=True)

    async def _greeting(self) -> say.Hello:
        while isinstance(message := await self.stage.hear("`hello`"), say.Ping):
            await self.stage.tell(*self.stage.pretence.answer(message))
        if not isinstance(message, say.Hello):
            raise UnmetError("`hello`", str(message))
        return message

    async def _welcome(self, *, new: bool) -> None:
        pretence = self.stage.pretence
        pretence.name = self.hello.name
        await self.stage.tell(
            msg.Welcome(
                ref=self.hello.ref,
                protocol=VERSION,
                server="simon-race-referee/1",
                player=pretence.player,
                token=TOKEN if new else None,
                name=pretence.name,
                clock=clock(),
            )
        )
        await self.stage.tell_raw(NEWS)

    async def _says_who(self) -> None:
        if "/" not in self.hello.client:
            raise UnmetError("`client` as in myclient/1.2", repr(self.hello.client))

    async def _enters(self) -> None:
        request = await self.stage.next_request("`create` or `join`", say.Create, say.Join)
        await self.stage.tell(*self.stage.pretence.answer(request))

    async def _races(self) -> None:
        stage, pretence = self.stage, self.stage.pretence
        request = await stage.next_request("`ready`", say.Ready)
        await stage.tell(*pretence.answer(request))
        await stage.tell(*pretence.begin())
        await stage.accept(await stage.next_action("an action"))

    # Lost connections.

    async def _comes_back(self) -> None:
        action = await self.stage.next_action("a second action")
        self.stage.carry_out(action)
        await self._lose()
        await self._returns(since=now(), longest=BASE_SECONDS)

    async def _lose(self) -> None:
        """Cut the connection; something happens meanwhile."""
        pretence = self.stage.pretence
        self.stage.cut()
        pretence.happens(msg.Said(seq=0, player=HOST.player, text="You have missed this line."))

    async def _returns(self, since: float, longest: float) -> None:
        """Wait until the client is connected again, after at most so many seconds."""
        self.guest = await self.stage.next_guest(BACK_WITHIN_S, "a new connection")
        waited = self.guest.at - since
        if waited > longest + TOLERANCE_S:
            raise UnmetError(f"a new connection after at most {longest:g} seconds", f"{waited:.1f} seconds")
        self.hello = await self._greeting()
        await self._welcome(new=False)
        self.join = await self.stage.next_request("`join`", say.Join, say.Create)

    async def _same_person(self) -> None:
        self._require_token(self.hello)

    def _require_token(self, hello: say.Hello) -> None:
        if (hello.player, hello.token) != (self.stage.pretence.player, TOKEN):
            raise UnmetError("`player` and `token` of the first `welcome`", f"{hello.player}, {hello.token}")

    async def _seen(self) -> None:
        wanted = f"`join` with room {ROOM} and seen {self.stage.sent_seq}"
        if not isinstance(self.join, say.Join) or self.join.room.upper() != ROOM:
            raise UnmetError(wanted, str(self.join))
        if self.join.seen != self.stage.sent_seq:
            raise UnmetError(wanted, str(self.join))

    async def _resume(self) -> None:
        """Answer the `join`: what was missed, and an event of an unknown type among it."""
        pretence, stage, join = self.stage.pretence, self.stage, self.join
        if not isinstance(join, say.Join) or join.seen is None:
            await stage.tell(pretence.room(join.ref if isinstance(join, say.Join | say.Create) else 0))
            return
        game = pretence.view()
        await stage.tell(msg.Resumed(ref=join.ref, seq=pretence.seq, clock=clock(), game=game))
        await stage.tell_raw({"type": "fireworks", "seq": join.seen})
        await stage.tell(*pretence.after(join.seen))

    async def _done_once(self) -> None:
        done = self.stage.pretence.carried_out[self.stage.pretence.n][0]
        await self._resume()
        wanted = "the same action again, or the next one"
        action = await self.stage.any_action(wanted)
        if action.n != done.n and _without_number(action) == _without_number(done):
            raise UnmetError(f"{done} again, or another action", f"the same under another number: {action}")
        if not await self.stage.is_allowed(action, wanted):
            await self.stage.next_action("the next action")

    async def _lost_action(self) -> None:
        await self._lose()
        await self._returns(since=now(), longest=BASE_SECONDS)
        await self._resume()
        await self.stage.accept(await self.stage.next_action("the lost action again"))

    # Refusals.

    async def _refused(self) -> None:
        action = await self.stage.next_action("an action")
        refused = self.stage.pretence.refusal(action, RefusalCode.NO_PLACE)
        await self.stage.tell_refusal(msgspec.structs.replace(refused, code="windy", text="It is too windy."))
        await self.stage.accept(await self.stage.next_action("an action"))

    async def _too_fast(self) -> None:
        action = await self.stage.next_action("an action")
        since = now()
        await self.stage.refuse(action, RefusalCode.TOO_FAST)
        again = await self.stage.next_action(f"action {action.n} again")
        waited = now() - since
        if again != action:
            raise UnmetError(f"{action} again", str(again))
        if waited < 0.5:
            raise UnmetError("about a second of patience", f"{waited:.2f} seconds")
        await self.stage.accept(again)

    # Snapshots, restarts, back-off.

    async def _snapshot(self) -> None:
        pretence = self.stage.pretence
        await self._lose()
        pretence.plays_itself()
        await self._returns(since=now(), longest=BASE_SECONDS)
        await self.stage.tell(pretence.room(self.join.ref if isinstance(self.join, say.Join) else 0))
        await self.stage.accept(await self.stage.next_action("an action"))

    async def _restarting(self) -> None:
        code = NoticeCode.RESTARTING
        await self.stage.tell(msg.Notice(code=code, text=code.text("en"), seconds=RESTART_S))
        since = now()
        await self.stage.close(CloseCode.RESTART)
        await self._returns(since, RESTART_S + BASE_SECONDS)
        waited = self.guest.at - since if self.guest else 0
        if waited < RESTART_S * 0.95:
            raise UnmetError(f"at least {RESTART_S:g} seconds", f"{waited:.2f} seconds")
        await self._resume()
        await self.stage.accept(await self.stage.next_action("an action"))

    async def _backs_off(self) -> None:
        self.door.shut_for_now()
        times = [now()]
        await self._lose()
        times += [await self._knock() for _ in range(REFUSED_ATTEMPTS)]
        self.door.reopen()
        self.stage.said.append(f"{REFUSED_ATTEMPTS} attempts were answered by HTTP 503")
        bounds = [min(CAP_SECONDS, BASE_SECONDS * 2**k) for k in range(REFUSED_ATTEMPTS + 1)]
        await self._returns(times[-1], bounds[-1])
        times.append(self.guest.at if self.guest else now())
        waits = [later - earlier for earlier, later in pairwise(times)]
        shown = ", ".join(f"{wait:.2f}" for wait in waits)
        if any(wait > bound + TOLERANCE_S for wait, bound in zip(waits, bounds, strict=True)):
            raise UnmetError(f"waits of at most {', '.join(f'{bound:g}' for bound in bounds)} s", shown)
        shares = [wait / bound for wait, bound in zip(waits, bounds, strict=True)]
        if max(shares) - min(shares) < SAME_SHARE or max(waits) - min(waits) < SAME_SHARE:
            raise UnmetError("waits that are drawn anew each time", f"always the same part: {shown} s")
        if sum(waits) < SAME_SHARE:
            raise UnmetError("some patience between attempts", f"{shown} s")
        await self._resume()

    async def _knock(self) -> float:
        try:
            async with asyncio.timeout(BACK_WITHIN_S):
                return await self.door.knocked()
        except TimeoutError:
            raise UnmetError("another attempt", f"nothing within {BACK_WITHIN_S:g} seconds") from None

    async def _plays_on(self) -> None:
        await self.stage.accept(await self.stage.next_action("an action"))

    # Verdicts.

    async def _replaced(self) -> None:
        code = NoticeCode.REPLACED
        await self.stage.tell(msg.Notice(code=code, text=code.text("en")))
        await self.stage.close(CloseCode.REPLACED)
        if await self.stage.silence(QUIET_S):
            raise UnmetError(f"no new connection within {QUIET_S:g} seconds", "one")

    async def _started_again(self) -> None:
        self.tell("Now start your client again, under the same name.")
        self.guest = await self.stage.next_guest(self.stage.patience, "a client")
        self.hello = await self._greeting()
        self._require_token(self.hello)

    async def _bad_token(self) -> None:
        code = ErrorCode.BAD_TOKEN
        await self.stage.tell(msg.Error(ref=self.hello.ref, code=code, text=code.sentence))
        await self.stage.close(CloseCode.BAD_TOKEN)
        if guest := await self.stage.silence(QUIET_S):
            self.stage.talk_to(guest)
            if (await self._greeting()).token == TOKEN:
                raise UnmetError("no `hello` with the token that is wrong", "one")


async def referee(
    tell: Callable[[str], None], port: int = 0, *, host: str = "localhost", patience: float = PATIENCE_S
) -> Report:
    """Listen, and check the client that comes; `tell` gets what its author has to do."""
    listener = Listener(patience)
    door = await Door.open(host, port, list(SUBPROTOCOLS), listener.arrivals.put)
    try:
        findings = await carry_out(Refereeing(door, listener, tell), 1)
    finally:
        await door.close()
    return Report("the client", findings)


def _without_number(action: say.AnyAction) -> say.AnyAction:
    return msgspec.structs.replace(action, n=1)
