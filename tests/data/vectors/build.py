"""Generate shuffles.json and games.json. The other test vectors are written by hand.

Run it after adding a game below: python tests/data/vectors/build.py
What the files contain must not change; docs/protocol/vectors.md describes them.
"""

import json
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from engine.board import Board
from engine.cards import card_text
from engine.code import GameCode
from engine.deal import deal, draw_below, ordered_pack, word_stream
from engine.progress import progress
from protocol.codec import JSON_CODEC
from protocol.limits import FORFEIT_UNDO_SECONDS
from protocol.refusals import RefusalCode
from server.core.play import Made, Play, decode, is_same

HERE: Final = Path(__file__).parent
DATA: Final = HERE.parent

Vector = dict[str, Any]

SHUFFLED: Final = (
    "SS1-S1-AAAAABD",
    "SS1-S2-AAAAAAA",
    "SS1-S4-ZZZZZZZ",
    "SS1-S4-AABRBYM",  # these two reject a word
    "SS1-S4-AAFHGZB",
)


def outputs() -> dict[Path, str]:
    """Return the text of each generated file by its path."""
    packs = {str(suits): " ".join(map(card_text, ordered_pack(suits))) for suits in (1, 2, 4)}
    shuffles = ",\n".join(f" {json.dumps(code)}: {_shuffle(GameCode.parse(code))}" for code in SHUFFLED)
    pack_lines = ",\n".join(f" {json.dumps(suits)}: {json.dumps(cards)}" for suits, cards in packs.items())
    return {
        HERE / "shuffles.json": f'{{"packs": {{\n{pack_lines}\n}},\n"shuffles": {{\n{shuffles}\n}}}}\n',
        HERE / "games.json": "[\n" + ",\n".join(_game(**game) for game in _games()) + "\n]\n",
    }


# Shuffles.


def _shuffle(code: GameCode) -> str:
    drawn: list[int] = []

    def recorded() -> Iterator[int]:
        for word in word_stream(str(code)):
            drawn.append(word)
            yield word

    words, draws, used = recorded(), [], 0
    for place in range(51, 0, -1):
        other = draw_below(place + 1, words)
        *rejected, word = drawn[used:]
        used = len(drawn)
        draws.append({"below": place + 1, "rejected": rejected, "word": word, "swap": [place, other]})
    hashed = [f"{code}/{counter}" for counter in range(-(-used // 8))]
    digests = [{"of": text, "sha256": sha256(text.encode("ascii")).hexdigest()} for text in hashed]
    return f'{{\n  "digests": {_lines(digests)},\n  "draws": {_lines(draws)}}}'


def _lines(rows: Iterable[object]) -> str:
    return "[\n" + ",\n".join("   " + json.dumps(row) for row in rows) + "\n  ]"


# Games.


RACE: Final = 1


def move(source: int, target: int, cards: int = 1, **more: int) -> Vector:
    """Return the action without its number. Without `n` or `at_ms` it gets the next number or second."""
    return {"type": "move", "from": source, "to": target, "cards": cards, **more}


def auto_move(source: int, **more: int) -> Vector:
    """Return the double-click move."""
    return {"type": "auto_move", "from": source, **more}


def bare(kind: str, **more: int) -> Vector:
    """Return an action without cards."""
    return {"type": kind, **more}


UNDO: Final = bare("undo")
RESTART: Final = bare("restart")
FORFEIT: Final = bare("forfeit")


def _game(
    name: str, about: str, actions: Iterable[Vector], code: str = "", start: str | list[str] = ""
) -> str:
    columns = start.split(" / ") if isinstance(start, str) else start
    board = deal(GameCode.parse(code)) if code else Board.from_columns([each.split() for each in columns])
    head = {"name": name, "about": about} | ({"code": code} if code else {}) | {"start": _text(board)}
    steps = ",\n".join("  " + json.dumps(step) for step in _steps(board, actions))
    return f'{json.dumps(head)[:-1]}, "steps": [\n{steps}\n ]}}'


def _text(board: Board) -> list[str]:
    return [" ".join(column) for column in board.columns_text()]


def _steps(board: Board, actions: Iterable[Vector]) -> Iterator[Vector]:
    play, at_ms = Play(board, RACE), 0
    entries: list[bytes] = []
    answers: list[Vector] = []
    for given in actions:
        at_ms = given.get("at_ms", at_ms + 1000)
        said = {"type": given["type"], "race": RACE, "n": given.get("n", play.n + 1)}
        said |= {key: value for key, value in given.items() if key not in ("type", "n", "at_ms")}
        action: Any = JSON_CODEC.from_client(json.dumps(said))
        refused: str | None = None
        if action.n > play.n + 1:
            refused = RefusalCode.WRONG_NUMBER
        elif action.n <= play.n:
            same = is_same(decode(entries[action.n - 1]), action)
            refused = None if same else RefusalCode.NUMBER_TAKEN
        else:
            made = play.decide(action, at_ms, int(FORFEIT_UNDO_SECONDS * 1000))
            if isinstance(made, Made):
                entries.append(made.entry)
                answers.append(json.loads(JSON_CODEC.encode(made.answer)))
            else:
                refused = made
        if refused is None:
            answer = answers[action.n - 1]
        else:
            answer = {
                "type": "refused",
                "race": RACE,
                "n": action.n,
                "expected": play.n + 1,
                "code": str(refused),
            }
        game = play.game
        state = {
            "columns": _text(game.board),
            "score": game.score,
            "moves": game.moves,
            "runs": game.runs,
            "undoable": game.undoable,
            "state": str(play.state),
            "progress": progress(game.board, game.runs),
            "reached_ms": play.reached_ms,
        }
        yield {"at_ms": at_ms, "action": said, "answer": answer, "state": state}


def _games() -> Iterator[Vector]:
    race = json.loads((DATA / "wire" / "race.json").read_text(encoding="utf-8"))
    said = [json.loads(line["sends"]) for line in race if line["who"] == "Ann" and "sends" in line]
    heard = [json.loads(line["receives"]) for line in race if line["who"] == "Ann" and "receives" in line]
    won = [move(each["from"], each["to"], each["cards"]) for each in said if each["type"] == "move"]
    first_run = next(each["n"] for each in heard if each["type"] == "accepted" and "run" in each)
    code = "SS1-S1-AAAAABD"
    yield {
        "name": "a won game",
        "about": "The whole game of the quick start, 500 - 49 + 400 = 851; nothing is allowed after the win.",
        "code": code,
        "actions": [*won, move(0, 1), auto_move(0), UNDO, RESTART, FORFEIT],
    }
    yield {
        "name": "undo across a run",
        "about": "The first run leaves play, comes back by undo with its score, and leaves again.",
        "code": code,
        "actions": [*won[:first_run], UNDO, UNDO, UNDO, *won[first_run - 3 : first_run]],
    }
    yield {
        "name": "numbers",
        "about": "The same action gets the same answer; other numbers are refused; a refusal uses no number.",
        "code": code,
        "actions": [
            move(0, 1),
            {**won[0], "n": 2},
            won[0],
            {**won[0], "n": 1},
            bare("undo", n=1),
            won[1],
            auto_move(9),
            auto_move(9, n=3),
            UNDO,
            bare("undo", n=4),
            bare("restart", n=4),
            bare("restart", n=9),
            {**won[0], "n": 1},
        ],
    }
    yield {
        "name": "restart",
        "about": "The deal again: moves, score and undo history are those of the start; the number goes on.",
        "code": code,
        "actions": [RESTART, *won[:3], UNDO, RESTART, UNDO, won[0], UNDO],
    }
    yield {
        "name": "forfeit and its undo",
        "about": "After a forfeit only undo is allowed: it undoes the forfeit, the next one the move.",
        "code": code,
        "actions": [
            won[0],
            FORFEIT,
            won[1],
            auto_move(9),
            RESTART,
            FORFEIT,
            UNDO,
            UNDO,
            UNDO,
            won[0],
            FORFEIT,
        ],
    }
    yield {
        "name": "a forfeit that is undone at the last moment",
        "about": "Ten seconds later to the millisecond.",
        "start": "9D 5H / 6S / 6D /  /  /  /  /  /  / ",
        "actions": [move(0, 1, at_ms=1000), bare("forfeit", at_ms=5000), bare("undo", at_ms=15_000)],
    }
    yield {
        "name": "a forfeit that is final",
        "about": "An undo a millisecond too late is refused. Board and `reached_ms` stay.",
        "start": "9D 5H / 6S / 6D /  /  /  /  /  /  / ",
        "actions": [move(0, 1, at_ms=1000), bare("forfeit", at_ms=5000), bare("undo", at_ms=15_001)],
    }
    yield from _autos()
    yield from _set_up()


def _autos() -> Iterator[Vector]:
    yield {
        "name": "auto_move: the same suit first",
        "about": "Before an empty column and before another suit, wherever they are; the leftmost of equals.",
        "start": "9D 5H / 6S /  / 6H / 6H /  /  /  /  / ",
        "actions": [auto_move(0)],
    }
    yield {
        "name": "auto_move: an empty column second",
        "about": "Before another suit; the leftmost of equals. A king goes there, too.",
        "start": "9D 5H / 6S / KC /  / 2C KD /  /  /  /  / ",
        "actions": [auto_move(0), auto_move(4)],
    }
    yield {
        "name": "auto_move: another suit last",
        "about": "Where no column is empty; the leftmost of equals.",
        "start": "9D 5H / KS / 6S / 6C / KH / KD / KC / 2C / 2D / 2H",
        "actions": [auto_move(0)],
    }
    yield {
        "name": "auto_move: a whole column",
        "about": "It is never shifted into an empty column; another suit takes it, or nothing does.",
        "start": "5H / 6S / 9D /  /  /  /  /  /  / ",
        "actions": [auto_move(2), auto_move(0)],
    }
    yield {
        "name": "auto_move: the whole group, or the number of cards given",
        "about": "Without `cards` the whole group moves; a part of it may have a better column.",
        "start": "KD 7S 6S 5S / 8H / 3C 6S / KH / KH / KS / KS / KC / KC / KD",
        "actions": [
            auto_move(0),
            UNDO,
            auto_move(0, cards=1),
            UNDO,
            auto_move(0, cards=4),
            auto_move(1),
            auto_move(10),
        ],
    }
    yield {
        "name": "auto_move: a run",
        "about": "Completing a run is a move like any other; the last one wins.",
        "start": "KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S / AS /  /  /  /  /  /  /  / ",
        "actions": [auto_move(1), auto_move(1)],
    }


def _set_up() -> Iterator[Vector]:
    king_to_three = "KS QS JS TS 9S 8S 7S 6S 5S 4S 3S"
    yield {
        "name": "groups",
        "about": "Cards of one suit in descending order move together, or a part of them; others never do.",
        "start": f"4D {king_to_three} 2S /  / 8H 7H 6H / 9C / 9D 7S 6H / 8S / AS / 7C / 3D 2H AH / KH",
        "actions": [
            move(0, 1, 12),
            UNDO,
            move(0, 1, 11),
            move(2, 3, 3),
            move(4, 5, 2),
            move(4, 7),
            move(4, 5),
            move(8, 1),
            move(1, 9, 12),
        ],
    }
    yield {
        "name": "a run above other cards",
        "about": "Only the thirteen leave; the cards under them stay, and undo puts the run back.",
        "start": f"5H 9C {king_to_three} / 2S AS / 3D 2H / 3H /  /  /  /  /  / ",
        "actions": [
            move(1, 0, 2),
            UNDO,
            move(1, 4),
            move(1, 0),
            move(4, 0),
            UNDO,
            UNDO,
            move(0, 4, 12),
        ],
    }
    yield {
        "name": "king to ace of two suits",
        "about": "Not a run: no card leaves play.",
        "start": f"{king_to_three} 2S / AH / AS /  /  /  /  /  /  / ",
        "actions": [move(1, 0), UNDO, move(2, 0)],
    }
    there, back = move(0, 1), move(1, 0)
    yield {
        "name": "a hundred undos",
        "about": "Of 101 moves the last hundred can be undone; the first one stays.",
        "start": "6D 5H / 6S /  /  /  /  /  /  /  / ",
        "actions": [*([there, back] * 50), there, *[UNDO] * 101],
    }
    for name, about, file in (
        ("a won game of two suits", "A layout that another solver won.", "solved-2.jsonl"),
        (
            "a won game of four suits",
            "The layout of the rule page: 500 - 59 + 400 = 841.",
            "solved-rule-page.jsonl",
        ),
    ):
        solved = json.loads((DATA / file).read_text(encoding="utf-8").splitlines()[0])
        yield {
            "name": name,
            "about": about,
            "start": solved["columns"],
            "actions": [move(*each) for each in solved["moves"]],
        }


if __name__ == "__main__":
    for path, text in outputs().items():
        path.write_text(text, encoding="utf-8")
