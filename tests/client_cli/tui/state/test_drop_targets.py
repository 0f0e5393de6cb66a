"""Drop targets: compared with the engine's own answers."""

import random

from client_cli.core.own_game import table
from client_cli.tui.state.drop_targets import drop_targets, group_size
from engine import Game, GameCode, deal


def test_drop_targets_are_the_columns_that_the_engine_allows() -> None:
    """In random games, for every source, target and number of cards."""
    chance = random.Random(7)
    for code in ("SS1-S4-AAAAABD", "SS1-S2-AAAAABD", "SS1-S1-AAAAABD"):
        game = Game(deal(GameCode.parse(code)))
        for _ in range(60):
            columns = table(game.board.columns_text())
            for source in range(10):
                allowed = {
                    (target, cards)
                    for target in range(10)
                    for cards in range(1, 14)
                    if game.board.check(source, target, cards) is None
                }
                assert drop_targets(columns, source, None) == {target for target, _ in allowed}
                for wanted in range(1, 14):
                    fitting = {target for target, cards in allowed if cards == wanted}
                    assert drop_targets(columns, source, wanted) == fitting
            legal = game.board.legal_moves()
            if not legal:
                break
            game.move(*chance.choice(legal))


def test_an_empty_column_has_no_group() -> None:
    columns = ((), ("KS", "QS", "JH"), *[()] * 8)
    assert group_size(columns, 0) == 0
    assert group_size(columns, 1) == 1
