"""Recorded games: the engine replays them, and they end as the record says."""

from fullscreen.example_race import record

from client_cli.tui.state.recorded_game import Recording, recorded_game
from protocol.record import ActionKind


def test_every_game_ends_as_the_results_say() -> None:
    for result in record().results:
        positions = recorded_game(record(), result.player).positions
        racer = next(each for each in record().racers if each.player == result.player)
        assert len(positions) == 1 + len(racer.actions)
        last = positions[-1]
        assert (last.score, last.moves, last.runs) == (result.score, result.moves, result.runs)
        assert [list(column) for column in last.columns] == racer.columns


def test_a_won_game_has_all_cards_in_order_and_none_left() -> None:
    last = recorded_game(record(), "ada").positions[-1]
    assert (last.progress, last.cards_left) == (48, 0)


def test_an_undo_returns_to_the_position_before_the_move() -> None:
    positions = recorded_game(record(), "ming").positions
    at = next(
        index for index, each in enumerate(positions) if each.entry and each.entry.type is ActionKind.UNDO
    )
    assert positions[at].columns == positions[at - 2].columns
    assert positions[at].moves == positions[at - 2].moves


def test_the_position_at_a_time_is_the_last_one_before_it() -> None:
    game = recorded_game(record(), "ada")
    assert game.index_at(0) == 0
    assert game.index_at(game.positions[5].at_ms - 1) == 4
    assert game.index_at(game.positions[5].at_ms) == 5
    assert game.index_at(10**9) == len(game.positions) - 1


def test_jumps_go_from_run_to_run_and_to_the_ends() -> None:
    game = recorded_game(record(), "ada")
    stops = [0]
    while stops[-1] != len(game.positions) - 1:
        stops.append(game.run_index(stops[-1], +1))
    assert [game.positions[stop].runs for stop in stops] == [0, 1, 2, 3, 4]
    assert game.run_index(stops[2], -1) == stops[1]
    assert game.run_index(stops[1], -1) == 0


def test_a_player_without_a_log_has_only_the_deal() -> None:
    assert len(recorded_game(record(), "nobody").positions) == 1


def test_a_recording_replays_a_game_once() -> None:
    recording = Recording(record())
    assert recording.racers == ["ada", "ming", "zoe", "ben"]
    assert recording.game("ada") == recorded_game(record(), "ada")
    assert recording.game("ada") is recording.game("ada")
