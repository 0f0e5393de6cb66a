"""Which columns could take a group: assistance for the eye, checked against the engine's own answers."""

import random

from client_cli.core.own_game import table
from client_cli.tui.state.drop_targets import group, places
from engine import Game, GameCode, deal


def test_what_fits_is_what_the_engine_allows() -> None:
    """Over whole games of wandering, for every source, target and count."""
    chance = random.Random(7)
    for code in ("SS1-S4-AAAAABD", "SS1-S2-AAAAABD", "SS1-S1-AAAAABD"):
        game = Game(deal(GameCode.parse(code)))
        for _ in range(60):
            drawn = table(game.board.columns_text())
            for source in range(10):
                allowed = {
                    (target, count)
                    for target in range(10)
                    for count in range(1, 14)
                    if game.board.check(source, target, count) is None
                }
                assert places(drawn, source, None) == {target for target, _ in allowed}
                for wanted in range(1, 14):
                    fitting = {target for target, count in allowed if count == wanted}
                    assert places(drawn, source, wanted) == fitting
            legal = game.board.legal_moves()
            if not legal:
                break
            game.move(*chance.choice(legal))


def test_an_empty_column_has_no_group() -> None:
    drawn = ((), ("KS", "QS", "JH"), *[()] * 8)
    assert group(drawn, 0) == 0
    assert group(drawn, 1) == 1
