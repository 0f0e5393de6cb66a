"""The test vectors for authors in any language, checked with the engine and with a second implementation."""

import json
import re
import runpy
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from plainrules import RACE, PlainGame, ranks

from engine.board import Board
from engine.code import GameCode
from engine.deal import deal, draw_below, ordered_pack, word_stream
from engine.game import Game, Step
from engine.progress import progress
from engine.ranking import Mode, Placing, Status, rank
from engine.refusal import Refusal

DATA = Path(__file__).parents[1] / "data"
VECTORS = DATA / "vectors"
PAGE = (Path(__file__).parents[2] / "docs" / "protocol" / "vectors.md").read_text(encoding="utf-8")

RACE_CODES = {"forfeited", "wrong_number", "number_taken"}
"""Refusals that the engine does not know: about forfeits and action numbers."""

CARDS = ("from", "to", "cards", "run", "code")

Vector = dict[str, Any]


def read(name: str) -> Any:
    return json.loads((VECTORS / name).read_text(encoding="utf-8"))


DEALS: dict[str, list[str]] = json.loads((DATA / "deals.json").read_text(encoding="utf-8"))
SHUFFLES: Vector = read("shuffles.json")
GAMES: dict[str, Vector] = {game["name"]: game for game in read("games.json")}
REFUSALS: list[Vector] = read("refusals.json")
RANKINGS: list[Vector] = read("rankings.json")
STEPS: list[Vector] = [step for game in GAMES.values() for step in game["steps"]]


def board_of(columns: list[str]) -> Board:
    return Board.from_columns([column.split() for column in columns])


def columns_of(board: Board) -> list[str]:
    return [" ".join(column) for column in board.columns_text()]


def play(game: Game, action: Vector) -> Step | Refusal | None:
    """Carry out an action with the engine, which of a forfeit checks only that the game is not won."""
    match action["type"]:
        case "move":
            return game.move(action["from"], action["to"], action["cards"])
        case "auto_move":
            return game.auto_move(action["from"], action.get("cards"))
        case "undo":
            return game.undo()
        case "restart":
            return game.restart()
        case _:
            return Refusal.GAME_OVER if game.is_won else None


def outcome_of(game: Game, action: Vector) -> Vector:
    """Return which cards moved, or the rule that refuses."""
    done = play(game, action)
    if isinstance(done, Refusal):
        return {"code": done.value}
    return {key: value for key, value in zip(CARDS, done or (), strict=False) if value is not None}


# The files.


def test_the_generated_files_are_up_to_date() -> None:
    """A script generates shuffles and games; their contents never change."""
    outputs: dict[Path, str] = runpy.run_path(str(VECTORS / "build.py"))["outputs"]()
    assert sorted(path.name for path in outputs) == ["games.json", "shuffles.json"]
    for path, text in outputs.items():
        assert path.read_text(encoding="utf-8") == text, "run: python tests/data/vectors/build.py"


def keys_in(node: object) -> set[str]:
    match node:
        case dict():
            return set(node).union(*map(keys_in, node.values()))
        case list():
            return set().union(*map(keys_in, node))
        case _:
            return set()


@pytest.mark.parametrize("name", ["shuffles.json", "games.json", "refusals.json", "rankings.json"])
def test_every_field_of_a_file_is_described(name: str) -> None:
    """The page has a section for each file that lists every field and no other."""
    section = PAGE.partition(f"\n## `{name}`\n")[2].partition("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("| `")]
    described = [field.strip("`") for row in rows for field in row.split(" | ")[0].strip("| ").split(", ")]
    found = keys_in(read(name)) - DEALS.keys() - {"1", "2", "4"}
    assert set(described) == found


def test_every_file_that_the_page_names_exists() -> None:
    named = re.findall(r"`((?:tests|docs)/[a-z_/.]+)`", PAGE)
    assert len(named) > 8
    for name in named:
        assert (DATA.parents[1] / name).is_file(), name


# Shuffles.


@pytest.mark.parametrize("code", SHUFFLES["shuffles"])
def test_a_shuffle_draws_these_words_and_swaps_these_cards(code: str) -> None:
    """All words, rejected ones included, lead from the ordered pack to the deal of the code."""
    shuffle = SHUFFLES["shuffles"][code]
    words = word_stream(code)
    first = b"".join(bytes.fromhex(each["sha256"]) for each in shuffle["digests"])
    read_so_far = 0
    pack = SHUFFLES["packs"][code[5]].split()
    for draw in shuffle["draws"]:
        taken = [*draw["rejected"], draw["word"]]
        assert draw_below(draw["below"], iter(taken)) == draw["swap"][1] == draw["word"] % draw["below"]
        assert [next(words) for _ in taken] == taken
        for word in taken:
            assert first[read_so_far : read_so_far + 4] == word.to_bytes(4, "big")
            read_so_far += 4
        here, there = draw["swap"]
        pack[here], pack[there] = pack[there], pack[here]
    assert pack == " ".join(DEALS[code]).split()


@pytest.mark.parametrize("code", SHUFFLES["shuffles"])
def test_the_digests_of_a_shuffle_are_of_its_code_and_a_counter(code: str) -> None:
    digests = SHUFFLES["shuffles"][code]["digests"]
    assert [each["of"] for each in digests] == [f"{code}/{counter}" for counter in range(len(digests))]
    assert [each["sha256"] for each in digests] == [
        sha256(each["of"].encode("ascii")).hexdigest() for each in digests
    ]


@pytest.mark.parametrize("suits", [1, 2, 4])
def test_the_ordered_packs_are_those_of_the_engine(suits: int) -> None:
    dealt = Board([[card] for card in ordered_pack(suits)])
    assert [card for column in dealt.columns_text() for card in column] == SHUFFLES["packs"][
        str(suits)
    ].split()


def test_the_shuffles_have_each_number_of_suits_and_rejected_words() -> None:
    """Only one code in seven million rejects a word, so other tests do not meet one by chance."""
    assert {code[5] for code in SHUFFLES["shuffles"]} == {"1", "2", "4"}
    rejected = [
        word for each in SHUFFLES["shuffles"].values() for draw in each["draws"] for word in draw["rejected"]
    ]
    assert rejected == [4294967295, 4294967278]


# Games.


@pytest.mark.parametrize("name", GAMES)
def test_the_engine_goes_through_every_state_of_a_game(name: str) -> None:
    """The same board and numbers after each action, and the same refusals."""
    vector = GAMES[name]
    game = Game(deal(GameCode.parse(vector["code"])) if "code" in vector else board_of(vector["start"]))
    assert columns_of(game.board) == vector["start"]
    forfeited = False
    for step in vector["steps"]:
        action, answer, state = step["action"], step["answer"], step["state"]
        is_new = answer["type"] == "accepted" and answer["at_ms"] == step["at_ms"]  # or a repeat
        if is_new and (forfeited or action["type"] == "forfeit"):
            forfeited = not forfeited
        elif is_new or answer.get("code") in list(Refusal):
            assert outcome_of(game, action) == {key: answer[key] for key in CARDS if key in answer}
        assert {key: state[key] for key in ("columns", "score", "moves", "runs", "undoable", "progress")} == {
            "columns": columns_of(game.board),
            "score": game.score,
            "moves": game.moves,
            "runs": game.runs,
            "undoable": game.undoable,
            "progress": progress(game.board, game.runs),
        }
        assert state["state"] == ("forfeited" if forfeited else "won" if game.is_won else "playing")


@pytest.mark.parametrize("name", GAMES)
def test_the_second_implementation_gives_the_same_answers_and_states(name: str) -> None:
    """Including action numbers and forfeits. So the vectors do not only repeat what the engine does."""
    game = PlainGame(GAMES[name]["start"])
    for step in GAMES[name]["steps"]:
        answer = game.answer(step["action"], step["at_ms"])
        assert (answer, game.state()) == (step["answer"], step["state"])


def test_the_games_have_every_action_and_answer() -> None:
    """Each action accepted and refused; runs that come back; wins with one, two and four suits."""
    seen = {(step["action"]["type"], step["answer"]["type"]) for step in STEPS}
    kinds = ("move", "auto_move", "undo", "restart", "forfeit")
    assert seen == {(kind, answer) for kind in kinds for answer in ("accepted", "refused")}
    assert any(step["action"]["type"] == "undo" and "run" in step["answer"] for step in STEPS)
    assert max(step["state"]["undoable"] for step in STEPS) == 100
    won = [game for game in GAMES.values() if game["steps"][-1]["state"]["runs"] == 4]
    assert {len({card[1] for card in " ".join(game["start"]).split()}) for game in won} == {1, 2, 4}
    assert [game["steps"][-1]["state"]["score"] for game in won] == [851, 842, 841]


# Refusals.


@pytest.mark.parametrize("vector", REFUSALS, ids=lambda vector: f"{vector['code']}: {vector['what']}")
def test_an_action_is_refused_by_the_rule_that_the_vector_names(vector: Vector) -> None:
    """By the engine, unless the rule is about the race, and by the second implementation."""
    game, plain = Game(board_of(vector["board"])), PlainGame(vector["board"])
    for n, action in enumerate(vector["before"], start=1):
        assert plain.answer({**action, "n": n}, at_ms=n)["type"] == "accepted"
        if action["type"] != "forfeit":
            assert not isinstance(play(game, action), Refusal)
    state = plain.state()
    n = len(vector["before"]) + 1
    assert plain.answer({**vector["action"], "n": n}, at_ms=n) == {
        "type": "refused",
        "race": RACE,
        "n": n,
        "expected": n,
        "code": vector["code"],
    }
    assert plain.state() == state
    if vector["code"] not in RACE_CODES:
        assert play(game, vector["action"]) == vector["code"]
        assert columns_of(game.board) == state["columns"]


def test_every_rule_of_the_game_has_a_refusal() -> None:
    assert {vector["code"] for vector in REFUSALS} == {*Refusal, "forfeited"}


def test_the_games_have_the_refusals_about_the_race() -> None:
    assert {step["answer"].get("code") for step in STEPS} >= RACE_CODES


# Rankings.


@pytest.mark.parametrize("mode", ["time", "score"])
@pytest.mark.parametrize("vector", RANKINGS, ids=lambda vector: vector["what"])
def test_results_are_ranked_as_the_vector_says(vector: Vector, mode: Mode) -> None:
    """Equal racers share a rank and stand in the order in which they entered the room."""
    racers = vector["racers"]
    by_the_engine = rank([placing_of(each) for each in racers], mode)
    assert by_the_engine == ranks(racers, mode)
    ranked = zip(by_the_engine, (each["name"] for each in racers), strict=True)
    assert [[name, place] for place, name in sorted(ranked, key=lambda row: row[0])] == vector[mode]


def placing_of(racer: Vector) -> Placing:
    """Return what the engine ranks a racer by."""
    if racer["state"] == "won":
        status = Status.WON
    else:
        is_out = racer["state"] == "forfeited" or racer.get("inactive", False)
        status = Status.OUT if is_out else Status.UNFINISHED
    numbers = ("score", "moves", "runs", "progress", "reached_ms")
    return Placing(status, *(racer[number] for number in numbers))


def test_the_scores_of_the_rankings_are_possible() -> None:
    for racer in (racer for vector in RANKINGS for racer in vector["racers"]):
        assert racer["score"] == 500 - racer["moves"] + 100 * racer["runs"]
        assert (racer["state"] == "won") == (racer["runs"] == 4) == (racer["progress"] == 48)
        assert 12 * racer["runs"] <= racer["progress"] <= 48


def test_the_rankings_have_ties_and_every_class_in_both_modes() -> None:
    for mode in ("time", "score"):
        found = [[place for _, place in vector[mode]] for vector in RANKINGS]
        assert [1, 2, 2, 4] in found
        assert [1, 1, 1] in found
    racers = [racer for vector in RANKINGS for racer in vector["racers"]]
    assert {(racer["state"], racer.get("inactive", False)) for racer in racers} == {
        ("won", False),
        ("unfinished", False),
        ("unfinished", True),
        ("forfeited", False),
    }
