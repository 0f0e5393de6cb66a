"""State and answers of the fake server: one room, and the client under test in it. Without network."""

import copy
import time
from collections.abc import Iterator
from typing import Final

import msgspec

from engine import Board, Game, GameCode, Refusal, Step, deal
from protocol import from_client, from_server
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

CODES: Final = ("SS1-S1-AAAAABD", "SS1-S1-AAAAABH", "SS1-S1-AAAAABP", "SS1-S1-AAAAABN")
"""Game codes of the races in turn. Each deal has many legal moves."""

RACES_BEFORE: Final = 2
"""Races of the room before the first one of the client, which must not count races itself."""

ROOM: Final = "RFCMJ"
HOST: Final = Member("referee", "Referee", ready=False, spectator=False, connected=True)
TOKEN: Final = "kept-by-the-client-under-test"  # noqa: S105 - not a secret
COUNTDOWN_MS: Final = 200
_CLOCK_START_MS: Final = 1_767_225_600_000
_TIME_LIMIT_MS: Final = 1_800_000
_ACTION_MS: Final = 100
"""Race time from one accepted action to the next."""


class FakeRoom:
    """The room and the game of the client under test. `log` has the events of the room."""

    def __init__(self) -> None:
        self.player = "under-test"
        self.name = ""
        self.ready = False
        self.racing = False
        self.takes_part = True  # whether the client has a game in the latest race
        self.race = RACES_BEFORE  # number of the latest race
        self.log: list[from_server.RoomEvent] = []
        self.n = 0
        self.code = CODES[0]
        self.deal: Board = deal(GameCode.parse(self.code))
        self.game = Game(self.deal)
        self.applied: dict[
            tuple[int, int], tuple[from_client.AnyAction, from_server.Accepted]
        ] = {}  # by race and n

    @property
    def seq(self) -> int:
        """Place of the last event. The first two entries of the log are not sent to members."""
        return len(self.log) + 2

    def append_event(self, event: from_server.RoomEvent) -> from_server.RoomEvent:
        """Append an event to the log; return it with its `seq`."""
        self.log.append(event)
        self.log[-1] = msgspec.structs.replace(event, seq=self.seq)
        return self.log[-1]

    def events_after(self, seen: int) -> list[from_server.RoomEvent]:
        """Return the events after `seen`."""
        return self.log[max(0, seen - 2) :]

    def view(self) -> GameView | None:
        """Return the client's game, or None if it has none."""
        if not self.racing or not self.takes_part:
            return None
        game = self.game
        state = RacerState.WON if game.is_won else RacerState.PLAYING
        numbers = (game.score, game.moves, game.runs, game.undoable)
        return GameView(self.n, game.board.columns_text(), *numbers, state)

    def snapshot(self, ref: int) -> from_server.Room:
        """Return a snapshot of the room."""
        phase = Phase.RACING if self.racing else Phase.LOBBY
        view = RaceView(self.race, self.code, self.deal.columns_text(), self._racers, 1000, _TIME_LIMIT_MS)
        return from_server.Room(
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

    @property
    def _racers(self) -> list[str]:
        return [self.player if self.takes_part else HOST.player]

    def start_race(self, *, takes_part: bool = True) -> Iterator[from_server.FromServer]:
        """Start the next race, of the client or, if it does not take part, of the host; yield the events."""
        self.takes_part = takes_part
        self.code = CODES[(self.race - RACES_BEFORE) % len(CODES)]
        self.race += 1
        self.deal = deal(GameCode.parse(self.code))
        self.game, self.n = Game(self.deal), 0
        yield self.append_event(
            from_server.CountdownStarted(
                seq=0, race=self.race, starts_in_ms=COUNTDOWN_MS, clock_ms=clock_ms()
            )
        )
        self.racing, self.ready = True, False
        yield self.append_event(
            from_server.RaceStarted(
                seq=0,
                race=self.race,
                code=self.code,
                columns=self.deal.columns_text(),
                racers=self._racers,
                time_limit_ms=_TIME_LIMIT_MS,
                elapsed_ms=0,
                clock_ms=clock_ms(),
            )
        )

    def start_next_race(self, *, takes_part: bool = True) -> None:
        """End the race and start the next one, of the client or of the host."""
        game, self.racing = self.game, False
        result = Result(
            self._racers[0],
            self.name if self.takes_part else HOST.name,
            1,
            RacerState.UNFINISHED,
            game.score,
            game.moves,
            game.runs,
            reached_ms=self.n * _ACTION_MS,
        )
        self.append_event(from_server.RaceEnded(seq=0, race=self.race, code=self.code, results=[result]))
        self.append_event(from_server.LobbyOpened(seq=0))
        player = self.player if takes_part else HOST.player
        self.append_event(from_server.ReadyChanged(seq=0, player=player, ready=True))
        for _ in self.start_race(takes_part=takes_part):
            pass

    def answer(self, request: from_client.FromClient) -> list[from_server.FromServer]:
        """Return the answers to a request. Actions have methods of their own."""
        ref = getattr(request, "ref", 0)
        match request:
            case from_client.Ping():
                return [from_server.Pong(ref=ref, clock_ms=clock_ms())]
            case from_client.Ready(ready=ready):
                self.ready = ready
                event = self.append_event(from_server.ReadyChanged(seq=0, player=self.player, ready=ready))
                return [event, from_server.Done(ref=ref)]
            case from_client.StartCountdown() if not self.ready:
                return [_error(ErrorCode.COUNTDOWN_RUNNING, ref)]
            case from_client.Chat(text=text):
                return [
                    self.append_event(from_server.ChatMessage(seq=0, player=self.player, text=text)),
                    from_server.Done(ref=ref),
                ]
            case from_client.Create() | from_client.Join():
                return [self.snapshot(ref)]
            case from_client.GetGame():
                game = self.view()
                return [
                    from_server.Game(ref=ref, race=self.race, game=game)
                    if game
                    else _error(ErrorCode.NO_GAME, ref)
                ]
            case from_client.SubscribeLeaderboard(code=code):
                empty = [LeaderboardTable(kind, []) for kind in LeaderboardKind]
                return [from_server.Leaderboard(ref=ref, code=code, leaderboards=empty)]
            case from_client.Hello():
                return [_error(ErrorCode.ALREADY_IDENTIFIED, ref)]
            case from_client.GetBoard():
                return [_error(ErrorCode.BOARDS_HIDDEN, ref)]
            case from_client.GetRecord():
                return [_error(ErrorCode.NO_RECORD, ref)]
            case _:
                return [from_server.Done(ref=ref)]

    def apply(self, action: from_client.AnyAction) -> from_server.Accepted | Refusal:
        """Carry out an action with the right number, or return the rule that refuses it."""
        done = self._do(action, self.game)
        if isinstance(done, Refusal):
            return done
        game, self.n = self.game, self.n + 1
        accepted = from_server.Accepted(
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
        self.applied[self.race, self.n] = action, accepted
        return accepted

    def would_refuse(self, action: from_client.AnyAction) -> Refusal | None:
        """Return the rule that refuses an action, if one does."""
        done = self._do(action, copy.deepcopy(self.game))
        return done if isinstance(done, Refusal) else None

    def play_elsewhere(self) -> None:
        """Make a move, or restart if there is none, as if the client had made it on another connection."""
        race, n = self.race, self.n + 1
        for source, target, cards in self.game.board.legal_moves()[:1]:
            self.apply(from_client.Move(race=race, n=n, source=source, target=target, cards=cards))
            return
        self.apply(from_client.Restart(race=race, n=n))

    def _do(self, action: from_client.AnyAction, game: Game) -> Step | Refusal | None:
        match action:
            case from_client.Move():
                return game.move(action.source, action.target, action.cards)
            case from_client.AutoMove():
                return game.auto_move(action.source, action.cards)
            case from_client.Undo():
                return game.undo()
            case from_client.Restart():
                return game.restart()
            case _:
                return Refusal.NOTHING_TO_UNDO  # a forfeit would end the game that the checks need

    def refusal(self, action: from_client.AnyAction, code: RefusalCode | Refusal) -> from_server.Refused:
        """Refuse an action."""
        known = RefusalCode.of(code) if isinstance(code, Refusal) else code
        expected = self.n + 1 if action.race == self.race else 0
        return from_server.Refused(
            race=action.race, n=action.n, expected=expected, code=known, text=known.text("en")
        )


def clock_ms() -> int:
    """Return the servers' clock in ms: a number of more than 32 bits, like that of a server."""
    return _CLOCK_START_MS + int(time.monotonic() * 1000)


def _error(code: ErrorCode, ref: int) -> from_server.Error:
    return from_server.Error(ref=ref, code=code, text=code.sentence, temporary=code.temporary)
