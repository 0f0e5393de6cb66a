"""A racer's game from the record: the engine plays it again, and it ends where the record says."""

from fullscreen.evening import record

from client_cli.tui.state.recorded_game import reel
from protocol.record import ActionKind


def test_every_racer_s_game_ends_as_the_results_say() -> None:
    for result in record().results:
        shots = reel(record(), result.player).shots
        racer = next(each for each in record().racers if each.player == result.player)
        assert len(shots) == 1 + len(racer.actions)
        last = shots[-1]
        assert (last.score, last.moves, last.runs) == (result.score, result.moves, result.runs)
        assert [list(column) for column in last.columns] == racer.columns


def test_a_won_game_has_every_card_in_order_and_none_left() -> None:
    last = reel(record(), "ada").shots[-1]
    assert (last.progress, last.cards) == (48, 0)


def test_an_undo_shows_the_board_before() -> None:
    shots = reel(record(), "ming").shots
    at = next(
        number for number, shot in enumerate(shots) if shot.entry and shot.entry.type is ActionKind.UNDO
    )
    assert shots[at].columns == shots[at - 2].columns
    assert shots[at].moves == shots[at - 2].moves


def test_the_shot_of_a_moment_is_the_last_before_it() -> None:
    film = reel(record(), "ada")
    assert film.at(0) == 0
    assert film.at(film.shots[5].at - 1) == 4
    assert film.at(film.shots[5].at) == 5
    assert film.at(10**9) == len(film.shots) - 1


def test_one_jumps_from_run_to_run_and_to_the_ends() -> None:
    film = reel(record(), "ada")
    stops = [0]
    while stops[-1] != len(film.shots) - 1:
        stops.append(film.run(stops[-1], +1))
    assert [film.shots[stop].runs for stop in stops] == [0, 1, 2, 3, 4]
    assert film.run(stops[2], -1) == stops[1]
    assert film.run(stops[1], -1) == 0


def test_somebody_without_a_log_has_only_the_deal() -> None:
    assert len(reel(record(), "nobody").shots) == 1
