"""A server that is none: one room, one racer, and answers for whoever is under test. No network in here."""

import copy
import time
from collections.abc import Iterator
from typing import Final

import msgspec

from engine import Board, Game, GameCode, Refusal, Step, deal
from protocol import from_client as say
from protocol import from_server as msg
from protocol.errors import ErrorCode
from protocol.parts import GameView, Person, Phase, RacerState, RaceView, Settings
from protocol.refusals import RefusalCode

CODE: Final = "SS1-S1-AAAAABD"
ROOM: Final = "RFCMJ"
HOST: Final = Person("referee", "Referee", False, True, False)
TOKEN: Final = "kept-by-the-client-under-test"  # noqa: S105 - it opens nothing
COUNTDOWN_MS: Final = 200
_TIME_LIMIT_MS: Final = 1_800_000


class Pretence:
    """What a server would know. `log` has the events of the room; the place of the first is 1."""

    def __init__(self) -> None:
        self.player = "under-test"
        self.name = ""
        self.ready = False
        self.racing = False
        self.log: list[msg.RoomEvent] = []
        self.n = 0
        self.deal: Board = deal(GameCode.parse(CODE))
        self.game = Game(self.deal)
        self.carried_out: dict[int, tuple[say.AnyAction, msg.Accepted]] = {}

    @property
    def seq(self) -> int:
        """The place of the last event; two are there from the beginning that nobody is told of."""
        return len(self.log) + 2

    def happens(self, event: msg.RoomEvent) -> msg.RoomEvent:
        """Let an event happen; its place is put into it."""
        self.log.append(event)
        self.log[-1] = msgspec.structs.replace(event, seq=self.seq)
        return self.log[-1]

    def after(self, seen: int) -> list[msg.RoomEvent]:
        """Return the events that somebody missed."""
        return self.log[max(0, seen - 2) :]

    def view(self) -> GameView | None:
        """Return the game of the one under test."""
        if not self.racing:
            return None
        game = self.game
        state = RacerState.WON if game.is_won else RacerState.PLAYING
        numbers = (game.score, game.moves, game.runs, game.undoable)
        return GameView(self.n, game.board.columns_text(), *numbers, state)

    def room(self, ref: int) -> msg.Room:
        """Return the whole room."""
        phase = Phase.RACING if self.racing else Phase.LOBBY
        view = RaceView(1, CODE, self.deal.columns_text(), [self.player], 1000, _TIME_LIMIT_MS)
        return msg.Room(
            ref=ref,
            seq=self.seq,
            clock=clock(),
            room=ROOM,
            you=self.player,
            host=HOST.player,
            owner=HOST.player,
            phase=phase,
            settings=Settings(),
            locked=False,
            has_password=False,
            named_code=not self.racing,
            races=int(self.racing),
            people=[HOST, Person(self.player, self.name, self.ready, False, False)],
            race=view if self.racing else None,
            game=self.view(),
        )

    def begin(self) -> Iterator[msg.FromServer]:
        """Let the race begin."""
        yield self.happens(msg.CountdownStarted(seq=0, race=1, starts_in=COUNTDOWN_MS, clock=clock()))
        self.racing, self.ready = True, False
        yield self.happens(
            msg.RaceStarted(
                seq=0,
                race=1,
                code=CODE,
                columns=self.deal.columns_text(),
                racers=[self.player],
                time_limit=_TIME_LIMIT_MS,
                elapsed=0,
                clock=clock(),
            )
        )

    def answer(self, request: say.FromClient) -> list[msg.FromServer]:
        """Return what a request brings about; actions are not for here."""
        ref = getattr(request, "ref", 0)
        match request:
            case say.Ping():
                return [msg.Pong(ref=ref, clock=clock())]
            case say.Ready(ready=ready):
                self.ready = ready
                told = self.happens(msg.ReadyChanged(seq=0, player=self.player, ready=ready))
                return [told, msg.Done(ref=ref)]
            case say.Start() if not self.ready:
                return [_error(ErrorCode.COUNTDOWN_RUNNING, ref)]
            case say.Say(text=text):
                return [self.happens(msg.Said(seq=0, player=self.player, text=text)), msg.Done(ref=ref)]
            case say.Create() | say.Join():
                return [self.room(ref)]
            case say.GetGame():
                game = self.view()
                return [msg.Game(ref=ref, race=1, game=game) if game else _error(ErrorCode.NO_GAME, ref)]
            case say.FollowLeaderboard(code=code):
                return [msg.Leaderboard(ref=ref, code=code, by_time=[], by_score=[], by_moves=[])]
            case say.Hello():
                return [_error(ErrorCode.ALREADY_GREETED, ref)]
            case say.ShowBoard():
                return [_error(ErrorCode.BOARDS_HIDDEN, ref)]
            case say.GetRecord():
                return [_error(ErrorCode.NO_RECORD, ref)]
            case _:
                return [msg.Done(ref=ref)]

    def carry_out(self, action: say.AnyAction) -> msg.Accepted | Refusal:
        """Do what a rightly numbered action says, or return the rule that refuses it."""
        done = self._do(action, self.game)
        if isinstance(done, Refusal):
            return done
        game, self.n = self.game, self.n + 1
        accepted = msg.Accepted(
            n=self.n,
            at=self.n * 100,
            score=game.score,
            moves=game.moves,
            runs=game.runs,
            undoable=game.undoable,
            source=done.source if done else None,
            target=done.target if done else None,
            count=done.cards if done else None,
            run=done.run if done else None,
        )
        self.carried_out[self.n] = action, accepted
        return accepted

    def would_refuse(self, action: say.AnyAction) -> Refusal | None:
        """Return the rule that refuses an action, if one does."""
        done = self._do(action, copy.deepcopy(self.game))
        return done if isinstance(done, Refusal) else None

    def plays_itself(self) -> None:
        """Make a move, or begin again where there is none, as if the one under test had done it elsewhere."""
        for source, target, count in self.game.board.legal_moves()[:1]:
            self.carry_out(say.Move(n=self.n + 1, source=source, target=target, count=count))
            return
        self.carry_out(say.Restart(n=self.n + 1))

    def _do(self, action: say.AnyAction, game: Game) -> Step | Refusal | None:
        match action:
            case say.Move():
                return game.move(action.source, action.target, action.count)
            case say.Auto():
                return game.auto(action.source, action.count)
            case say.Undo():
                return game.undo()
            case say.Restart():
                return game.restart()
            case _:
                return Refusal.NOTHING_TO_UNDO  # a forfeit would end the play that we want to see

    def refusal(self, action: say.AnyAction, code: RefusalCode | Refusal) -> msg.Refused:
        """Refuse an action."""
        known = RefusalCode.of(code) if isinstance(code, Refusal) else code
        return msg.Refused(n=action.n, expected=self.n + 1, code=known, text=known.text("en"))


def clock() -> int:
    """Return the servers' clock in ms."""
    return int(time.monotonic() * 1000)


def _error(code: ErrorCode, ref: int) -> msg.Error:
    return msg.Error(ref=ref, code=code, text=code.sentence, temporary=code.temporary)
