"""Fake server: receives what a client sends and answers with real messages that pass through the codec."""

from collections import deque
from collections.abc import Callable

from client_cli.core.conversation import Conversation
from engine import Board, Game, GameCode, Refusal, deal
from protocol import from_client, from_server
from protocol.codec import MSGPACK_CODEC
from protocol.parts import GameView, RacerState
from protocol.refusals import RefusalCode


class FakeServer:
    """One racer's game behind the wire.

    With `delivers_at_once` each answer is delivered at once; otherwise `answers` keeps it until `deliver` is
    called.
    """

    def __init__(
        self,
        conversation: Conversation,
        on_message: Callable[[from_server.FromServer], None],
        clock: Callable[[], int],
    ) -> None:
        self.conversation = conversation
        self.received: list[from_client.FromClient] = []
        self.answers: deque[from_server.FromServer] = deque()  # not delivered yet
        self.game: Game | None = None
        self.n = 0  # number of the last accepted action
        self.accepted: dict[int, from_server.Accepted] = {}  # answers by number, for repeats
        self.forfeited = False
        self.delivers_at_once = True
        self._on_message, self._clock = on_message, clock

    def send(self, *messages: from_server.FromServer) -> None:
        """Send messages to the client."""
        for message in messages:
            if isinstance(message, from_server.RaceStarted):
                self.start_race(message.code)
            arrived = MSGPACK_CODEC.from_server(MSGPACK_CODEC.encode(message))
            self.conversation.message_received(arrived, self._clock())
            self._on_message(arrived)

    def start_race(self, code: str) -> None:
        """Start a race for this racer, without a message."""
        self.game, self.n, self.accepted, self.forfeited = Game(deal(GameCode.parse(code))), 0, {}, False

    def flush(self) -> None:
        """Receive what the client sends, and deliver the answers if that is on."""
        self.receive()
        while self.delivers_at_once and self.answers:
            self.deliver()
            self.receive()

    def receive(self) -> None:
        """Receive what the client sends, and prepare the answers."""
        while (message := self.conversation.next_message()) is not None:
            received = MSGPACK_CODEC.from_client(MSGPACK_CODEC.encode(message))
            self.received.append(received)
            if isinstance(received, from_client.AnyAction):
                self.answers.append(self._answer(received))
            elif isinstance(received, from_client.GetGame):
                self.answers.append(from_server.Game(ref=received.ref, race=1, game=self.view()))
            elif isinstance(received, from_client.Leave):
                self.answers.append(from_server.Done(ref=received.ref))

    def deliver(self) -> None:
        """Deliver the next answer."""
        self.send(self.answers.popleft())

    def view(self) -> GameView:
        """Return the racer's game as the server has it."""
        game = self._game
        return GameView(
            self.n, game.board.columns_text(), game.score, game.moves, game.runs, game.undoable, self._state
        )

    @property
    def board(self) -> Board:
        """The board as the server has it."""
        return self._game.board

    @property
    def _game(self) -> Game:
        assert self.game is not None, "no race has started"
        return self.game

    @property
    def _state(self) -> RacerState:
        if self.forfeited:
            return RacerState.FORFEITED
        return RacerState.WON if self._game.is_won else RacerState.PLAYING

    def _answer(self, action: from_client.AnyAction) -> from_server.Accepted | from_server.Refused:
        if action.n in self.accepted:
            return self.accepted[action.n]
        if action.n != self.n + 1:
            return self._refused(action.n, RefusalCode.WRONG_NUMBER)
        source = target = cards = run = None
        match action:
            case from_client.Undo() if self.forfeited:
                self.forfeited = False
            case _ if self.forfeited:
                return self._refused(action.n, RefusalCode.FORFEITED)
            case from_client.Forfeit():
                self.forfeited = True
            case from_client.Restart():
                self._game.restart()
            case _:
                step = self._step(action)
                if isinstance(step, Refusal):
                    return self._refused(action.n, RefusalCode.of(step))
                source, target, cards, run = step
        self.n = action.n
        game = self._game
        self.accepted[action.n] = from_server.Accepted(
            race=1,
            n=action.n,
            at_ms=action.n * 1000,
            score=game.score,
            moves=game.moves,
            runs=game.runs,
            undoable=game.undoable,
            source=source,
            target=target,
            cards=cards,
            run=run,
            state=self._state,
        )
        return self.accepted[action.n]

    def _step(
        self, action: from_client.Move | from_client.AutoMove | from_client.Undo
    ) -> tuple[int, int, int, str | None] | Refusal:
        match action:
            case from_client.Move():
                return self._game.move(action.source, action.target, action.cards)
            case from_client.AutoMove():
                return self._game.auto_move(action.source, action.cards)
            case from_client.Undo():
                return self._game.undo()

    def _refused(self, n: int, code: RefusalCode) -> from_server.Refused:
        return from_server.Refused(race=1, n=n, expected=self.n + 1, code=code, text=code.english)
