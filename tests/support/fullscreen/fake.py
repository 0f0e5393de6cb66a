"""A server in one's own hands: it hears what a link says and answers with real messages, as bytes."""

from collections import deque
from collections.abc import Callable

from client_cli.core.conversation import Conversation
from engine import Board, Game, GameCode, Refusal, deal
from protocol import from_client as say
from protocol import from_server as msg
from protocol.codec import MSGPACK_CODEC
from protocol.parts import GameView, RacerState
from protocol.refusals import RefusalCode


class FakeServer:
    """One racer's game behind the wire. `hear` takes what the link says, `answers` keeps what it answers.

    `deliver` hands answers over one by one, whenever a test wants it to.
    """

    def __init__(
        self, conversation: Conversation, heard: Callable[[msg.FromServer], None], clock: Callable[[], int]
    ) -> None:
        self.conversation, self._heard, self._clock = conversation, heard, clock
        self.said: list[say.FromClient] = []
        self.answers: deque[msg.FromServer] = deque()
        self.game: Game | None = None
        self.n = 0
        self.log: dict[int, msg.Accepted] = {}
        self.forfeited = False
        self.prompt = True

    def tell(self, *messages: msg.FromServer) -> None:
        """Let messages arrive."""
        for message in messages:
            if isinstance(message, msg.RaceStarted):
                self.begin(message.code)
            arrived = MSGPACK_CODEC.from_server(MSGPACK_CODEC.encode(message))
            self.conversation.message_received(arrived, self._clock())
            self._heard(arrived)

    def begin(self, code: str) -> None:
        """A race begins for this racer."""
        self.game, self.n, self.log, self.forfeited = Game(deal(GameCode.parse(code))), 0, {}, False

    def nudge(self) -> None:
        """The link has something to say: answer at once, unless a test delivers by itself."""
        self.hear()
        while self.prompt and self.answers:
            self.deliver()
            self.hear()

    def hear(self) -> None:
        """Take in what the link says, and make up the answers."""
        while (message := self.conversation.next_message()) is not None:
            sent = MSGPACK_CODEC.from_client(MSGPACK_CODEC.encode(message))
            self.said.append(sent)
            if isinstance(sent, say.Move | say.AutoMove | say.Undo | say.Restart | say.Forfeit):
                self.answers.append(self._action(sent))
            elif isinstance(sent, say.GetGame):
                self.answers.append(msg.Game(ref=sent.ref, race=1, game=self.view()))
            elif isinstance(sent, say.Leave):
                self.answers.append(msg.Done(ref=sent.ref))

    def deliver(self) -> None:
        """Let the next answer arrive."""
        self.tell(self.answers.popleft())

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
        assert self.game is not None, "no race has begun"
        return self.game

    @property
    def _state(self) -> RacerState:
        if self.forfeited:
            return RacerState.FORFEITED
        return RacerState.WON if self._game.is_won else RacerState.PLAYING

    def _action(self, action: say.AnyAction) -> msg.Accepted | msg.Refused:
        if action.n in self.log:
            return self.log[action.n]
        if action.n != self.n + 1:
            return self._refused(action.n, RefusalCode.WRONG_NUMBER)
        source = target = count = run = None
        match action:
            case say.Undo() if self.forfeited:
                self.forfeited = False
            case _ if self.forfeited:
                return self._refused(action.n, RefusalCode.FORFEITED)
            case say.Forfeit():
                self.forfeited = True
            case say.Restart():
                self._game.restart()
            case _:
                step = self._step(action)
                if isinstance(step, Refusal):
                    return self._refused(action.n, RefusalCode.of(step))
                source, target, count, run = step
        self.n = action.n
        game = self._game
        self.log[action.n] = msg.Accepted(
            race=1,
            n=action.n,
            at_ms=action.n * 1000,
            score=game.score,
            moves=game.moves,
            runs=game.runs,
            undoable=game.undoable,
            source=source,
            target=target,
            cards=count,
            run=run,
            state=self._state,
        )
        return self.log[action.n]

    def _step(self, action: say.Move | say.AutoMove | say.Undo) -> tuple[int, int, int, str | None] | Refusal:
        match action:
            case say.Move():
                return self._game.move(action.source, action.target, action.cards)
            case say.AutoMove():
                return self._game.auto(action.source, action.cards)
            case say.Undo():
                return self._game.undo()

    def _refused(self, n: int, code: RefusalCode) -> msg.Refused:
        return msg.Refused(race=1, n=n, expected=self.n + 1, code=code, text=code.english)
