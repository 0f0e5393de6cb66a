"""Race: what racers, winners and spectators see."""

from fullscreen.harness import Harness, at_screen

from client_cli.text.style import Style, Tone, plain
from client_cli.tui.views.layout import layout_of
from client_cli.tui.views.race import racer_view, spectator_view, winner_view

STYLE = Style(80, 24)


def held_cards(harness: Harness) -> int:
    """Return how many segments of the racer's view are drawn as held cards."""
    game = harness.conversation.model.game
    assert game is not None
    lines = racer_view(harness.state, harness.conversation.model, game, STYLE, layout_of(STYLE))
    return sum(segment.tone is Tone.HELD and bool(segment.text.strip()) for each in lines for segment in each)


def test_held_cards_are_lifted_out(racing: Harness) -> None:
    before = held_cards(racing)
    racing.press("3")
    assert (before, held_cards(racing)) == (0, 1)


def test_dropped_cards_stay_lifted_until_the_server_has_answered(racing: Harness) -> None:
    racing.server.delivers_at_once = False
    racing.press("3", "3")
    assert racing.state.selection.held is None
    assert held_cards(racing) == 1
    racing.server.deliver()
    assert held_cards(racing) == 0


def test_a_narrow_screen_has_the_standings_below_the_board(racing: Harness) -> None:
    model, style = racing.conversation.model, Style(60, 30)
    assert model.game is not None
    lines = [plain(each) for each in racer_view(racing.state, model, model.game, style, layout_of(style))]
    title = next(number for number, text in enumerate(lines) if "4 racers" in text)
    assert title > max(map(len, model.game.columns))


def test_a_winner_sees_the_result_in_place_of_the_board() -> None:
    harness = at_screen("won")
    model = harness.conversation.model
    assert model.game is not None
    text = "\n".join(plain(each) for each in winner_view(model, model.game, STYLE, layout_of(STYLE)))
    assert "★  You have won!  ★" in text
    assert "1:23.456" in text


def test_a_spectator_without_boards_sees_the_standings() -> None:
    harness = at_screen("watch")
    lines = spectator_view(harness.state, harness.conversation.model, STYLE, layout_of(STYLE))
    assert plain(lines[0]).startswith("4 racers")
    assert plain(lines[-1]).strip() == "Boards are hidden until the end of this race."
