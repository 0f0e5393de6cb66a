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
from protocol.parts import (
    GameView,
    LeaderboardKind,
    LeaderboardTable,
    Member,
    Phase,
    RacerState,
    RaceView,
    Result,
    Settings,
)
from protocol.refusals import RefusalCode

CODES: Final = ("SS1-S1-AAAAABD", "SS1-S1-AAAAABH")
"""The deals of the races, by turns."""

RACES_BEFORE: Final = 2
"""Races that the room has had: a client takes a race's number from the server and does not count."""

ROOM: Final = "RFCMJ"
HOST: Final = Member("referee", "Referee", ready=False, spectator=True, connected=True)
TOKEN: Final = "kept-by-the-client-under-test"  # noqa: S105 - it opens nothing
COUNTDOWN_MS: Final = 200
_TIME_LIMIT_MS: Final = 1_800_000
_ACTION_MS: Final = 100
"""Race time from one accepted action to the next."""


class Pretence:
    """What a server would know. `log` has the events of the room; the place of the first is 1."""

    def __init__(self) -> None:
        self.player = "under-test"
        self.name = ""
        self.ready = False
        self.racing = False
        self.race = RACES_BEFORE  # the latest that has started
        self.log: list[msg.RoomEvent] = []
        self.n = 0
        self.code = CODES[0]
        self.deal: Board = deal(GameCode.parse(self.code))
        self.game = Game(self.deal)
        self.carried_out: dict[tuple[int, int], tuple[say.AnyAction, msg.Accepted]] = {}  # by race and n

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
        view = RaceView(self.race, self.code, self.deal.columns_text(), [self.player], 1000, _TIME_LIMIT_MS)
        return msg.Room(
            ref=ref,
            seq=self.seq,
            clock_ms=clock_ms(),
            room=ROOM,
            you=self.player,
            host=HOST.player,
            owner=HOST.player,
            phase=phase,
            settings=Settings(),
            locked=False,
            has_password=False,
            named_code=not self.racing,
            races=self.race,
            members=[HOST, Member(self.player, self.name, self.ready, spectator=False, connected=True)],
            current_race=view if self.racing else None,
            game=self.view(),
        )

    def begin(self) -> Iterator[msg.FromServer]:
        """Start the next race."""
        self.code = CODES[(self.race - RACES_BEFORE) % len(CODES)]
        self.race += 1
        self.deal = deal(GameCode.parse(self.code))
        self.game, self.n = Game(self.deal), 0
        yield self.happens(
            msg.CountdownStarted(seq=0, race=self.race, starts_in_ms=COUNTDOWN_MS, clock_ms=clock_ms())
        )
        self.racing, self.ready = True, False
        yield self.happens(
            msg.RaceStarted(
                seq=0,
                race=self.race,
                code=self.code,
                columns=self.deal.columns_text(),
                racers=[self.player],
                time_limit_ms=_TIME_LIMIT_MS,
                elapsed_ms=0,
                clock_ms=clock_ms(),
            )
        )

    def race_again(self) -> None:
        """End the race and start the next one, with the client under test as its racer."""
        game, self.racing = self.game, False
        result = Result(
            self.player,
            self.name,
            1,
            RacerState.UNFINISHED,
            game.score,
            game.moves,
            game.runs,
            reached_ms=self.n * _ACTION_MS,
        )
        self.happens(msg.RaceEnded(seq=0, race=self.race, code=self.code, results=[result]))
        self.happens(msg.LobbyOpened(seq=0))
        self.happens(msg.ReadyChanged(seq=0, player=self.player, ready=True))
        for _ in self.begin():
            pass

    def answer(self, request: say.FromClient) -> list[msg.FromServer]:
        """Return what a request brings about; actions are not for here."""
        ref = getattr(request, "ref", 0)
        match request:
            case say.Ping():
                return [msg.Pong(ref=ref, clock_ms=clock_ms())]
            case say.Ready(ready=ready):
                self.ready = ready
                told = self.happens(msg.ReadyChanged(seq=0, player=self.player, ready=ready))
                return [told, msg.Done(ref=ref)]
            case say.StartCountdown() if not self.ready:
                return [_error(ErrorCode.COUNTDOWN_RUNNING, ref)]
            case say.Chat(text=text):
                return [
                    self.happens(msg.ChatMessage(seq=0, player=self.player, text=text)),
                    msg.Done(ref=ref),
                ]
            case say.Create() | say.Join():
                return [self.room(ref)]
            case say.GetGame():
                game = self.view()
                return [
                    msg.Game(ref=ref, race=self.race, game=game) if game else _error(ErrorCode.NO_GAME, ref)
                ]
            case say.SubscribeLeaderboard(code=code):
                empty = [LeaderboardTable(kind, []) for kind in LeaderboardKind]
                return [msg.Leaderboard(ref=ref, code=code, leaderboards=empty)]
            case say.Hello():
                return [_error(ErrorCode.ALREADY_IDENTIFIED, ref)]
            case say.GetBoard():
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
            race=self.race,
            n=self.n,
            at_ms=self.n * _ACTION_MS,
            score=game.score,
            moves=game.moves,
            runs=game.runs,
            undoable=game.undoable,
            source=done.source if done else None,
            target=done.target if done else None,
            cards=done.cards if done else None,
            run=done.run if done else None,
        )
        self.carried_out[self.race, self.n] = action, accepted
        return accepted

    def would_refuse(self, action: say.AnyAction) -> Refusal | None:
        """Return the rule that refuses an action, if one does."""
        done = self._do(action, copy.deepcopy(self.game))
        return done if isinstance(done, Refusal) else None

    def plays_itself(self) -> None:
        """Make a move, or begin again where there is none, as if the one under test had done it elsewhere."""
        race, n = self.race, self.n + 1
        for source, target, cards in self.game.board.legal_moves()[:1]:
            self.carry_out(say.Move(race=race, n=n, source=source, target=target, cards=cards))
            return
        self.carry_out(say.Restart(race=race, n=n))

    def _do(self, action: say.AnyAction, game: Game) -> Step | Refusal | None:
        match action:
            case say.Move():
                return game.move(action.source, action.target, action.cards)
            case say.AutoMove():
                return game.auto(action.source, action.cards)
            case say.Undo():
                return game.undo()
            case say.Restart():
                return game.restart()
            case _:
                return Refusal.NOTHING_TO_UNDO  # a forfeit would end the play that we want to see

    def refusal(self, action: say.AnyAction, code: RefusalCode | Refusal) -> msg.Refused:
        """Refuse an action."""
        known = RefusalCode.of(code) if isinstance(code, Refusal) else code
        expected = self.n + 1 if action.race == self.race else 0
        return msg.Refused(race=action.race, n=action.n, expected=expected, code=known, text=known.text("en"))


def clock_ms() -> int:
    """Return the servers' clock in ms."""
    return int(time.monotonic() * 1000)


def _error(code: ErrorCode, ref: int) -> msg.Error:
    return msg.Error(ref=ref, code=code, text=code.sentence, temporary=code.temporary)
