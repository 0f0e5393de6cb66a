"""A racer at a server under test. The engine decides what each answer must be."""

from collections.abc import Iterator, Sequence
from typing import Final

from conformance.errors import CheckSkippedError
from conformance.of_server.scripted_client import Message, ScriptedClient, require_equal
from engine import Game, GameCode, Move, Refusal, Solved, Step, deal, solve
from engine.progress import progress
from engine.ranking import Placing, Status

FAR: Final = 12
"""A column that does not exist."""


class Racer:
    """A client's game in a race. `n` is the number of the last accepted action."""

    def __init__(self, client: ScriptedClient, code: str, race: int = 1) -> None:
        self.client, self.code, self.race = client, code, race
        self.game = Game(deal(GameCode.parse(code)))
        self.n = 0

    @property
    def columns(self) -> list[list[str]]:
        """The expected board."""
        return self.game.board.columns_text()

    def view(self) -> Message:
        """Return the expected `game` of a game that is not over."""
        game = self.game
        numbers = {"score": game.score, "moves": game.moves, "runs": game.runs, "undoable": game.undoable}
        return {"n": self.n, "columns": self.columns, **numbers, "state": "playing"}

    def placing(self) -> Placing:
        """Return what ranks the game. The time is 0, because no two games here are equal."""
        game = self.game
        cards = progress(game.board, game.runs)
        return Placing(Status.UNFINISHED, game.score, game.moves, game.runs, cards, reached_ms=0)

    def row(self, place: int) -> Message:
        """Return the expected row of the standings at a rank."""
        placing = self.placing()
        numbers = {name: getattr(placing, name) for name in ("score", "moves", "runs", "progress")}
        return {"player": self.client.player, "rank": place, **numbers}

    async def act(self, type_: str, /, **fields: int) -> Message:
        """Send an action, and require the answer that the engine decides."""
        wanted = self.decide(type_, **fields)
        answer = await self.client.act(self.race, self.n + 1, type_, **fields)
        self.compare(answer, wanted)
        return answer

    def decide(self, type_: str, /, **fields: int) -> Message | Refusal:
        """Carry an action out in the own game; return `accepted` without its time, or the refusal."""
        game = self.game
        made: Step | Refusal | None
        match type_:
            case "move":
                made = game.move(fields["from"], fields["to"], fields["cards"])
            case "auto_move":
                made = game.auto_move(fields["from"], fields.get("cards"))
            case "undo":
                made = game.undo()
            case _:
                made = game.restart()
        if isinstance(made, Refusal):
            return made
        answer: Message = {"type": "accepted", "race": self.race, "n": self.n + 1}
        answer |= {"score": game.score, "moves": game.moves, "runs": game.runs, "undoable": game.undoable}
        if made is not None:
            answer |= {"from": made.source, "to": made.target, "cards": made.cards}
            answer |= {} if made.run is None else {"run": made.run}
        return answer | ({"state": "won"} if game.is_won else {})

    def compare(self, answer: Message, wanted: Message | Refusal) -> None:
        """Require an answer to be the decided one."""
        if isinstance(wanted, Refusal):
            refused = {"type": "refused", "race": self.race, "n": self.n + 1}
            refused |= {"expected": self.n + 1, "code": wanted.value}
            require_equal({name: answer.get(name) for name in refused}, refused, "the refusal")
        else:
            require_equal(
                {name: value for name, value in answer.items() if name != "at_ms"}, wanted, "the answer"
            )
            self.n += 1

    async def play_to_win(self) -> Message:
        """Win, after a restart if there is no way from here; return the last answer."""
        found = solve(self.game.board)
        if not isinstance(found, Solved):
            await self.act("restart")
            found = solve(self.game.board)
        if not isinstance(found, Solved):
            raise CheckSkippedError(f"our solver does not win {self.code}")
        answer: Message = {}
        for move in found.moves:
            answer = await self.act("move", **fields(move))
        return answer

    def legal_move(self) -> dict[str, int]:
        """Return a legal move as the fields of a message, if possible one after which another is legal."""
        moves = self.game.board.legal_moves()
        if not moves:
            raise CheckSkippedError(f"no move is legal now in {self.code}")
        return fields(next((move for move in moves if self._leaves_another(move)), moves[0]))

    def _leaves_another(self, move: Move) -> bool:
        board = self.game.board.copy()
        board.push(*move)
        return bool(board.legal_moves())

    def refused_moves(self) -> list[Move]:
        """Return one move for each rule that refuses one here."""
        board = self.game.board
        found = {board.check(*move): move for move in _any_moves(len(board.columns_text()))}
        return [move for refusal, move in found.items() if refusal is not None]


def fields(move: Sequence[int]) -> dict[str, int]:
    """Return a move as the fields of a message."""
    source, target, count = move
    return {"from": source, "to": target, "cards": count}


def _any_moves(columns: int) -> Iterator[Move]:
    return (
        Move(source, target, count)
        for source in (*range(columns), FAR)
        for target in (*range(columns), FAR)
        for count in (0, 1, 2, 50)
    )
