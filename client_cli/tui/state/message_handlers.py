"""What a message changes on the desk, and what it brings about; the model has taken it in already."""

from dataclasses import replace

from client_cli.core.own_game import from_view
from client_cli.text import server_texts
from client_cli.text.sentences import sentence
from client_cli.text.style import Role, Style
from client_cli.tui.state import selection as hands
from client_cli.tui.state.effects import Ask, Effects, Keep, Ring
from client_cli.tui.state.state import Desk, Page, Scene
from protocol import from_client as say
from protocol import from_server as msg
from protocol.parts import Phase


def heard(desk: Desk, scene: Scene, message: msg.FromServer, style: Style) -> Effects:
    """Take up a message."""
    model, translate = scene.model, style.translate
    match message:
        case msg.Refused() if message.race == model.race_number:
            desk.status = server_texts.refused(translate, message)
        case msg.Error():
            desk.status = server_texts.error(translate, message)
        case msg.Notice():
            desk.tell(server_texts.notice(translate, message), Role.WARNING)
        case msg.Accepted() if message.race == model.race_number:
            desk.status = ""
            if message.run is not None and message.runs > desk.runs:
                run = style.card(f"K{message.run}").strip()
                desk.tell_before_victory(
                    translate("A run has left the table, from {king} down.", king=run), Role.BAR
                )
        case msg.Board() if model.race is not None and message.race == model.race.number:
            desk.boards[message.player] = from_view(message.game)
            desk.shown = desk.shown or message.player
        case msg.Leaderboard():
            desk.ladder = message
        case msg.RecordSent():
            desk.record, desk.reels = message.record, {}
            path, desk.saving = desk.saving, ""
            return (Keep(path),) if path else ()
        case msg.Room():
            desk.shown, desk.boards = "", {}  # perhaps of a race that is over
            desk.results = model.phase is Phase.RESULTS
            return (Ask(say.GetRecord(race=model.races)),) if model.phase is Phase.RESULTS else ()
        case msg.RaceStarted():
            _begin(desk)
            _tell(desk, scene, message, style)
            return (Ring(),) if desk.prefer.bell else ()
        case msg.RaceEnded():
            desk.results, desk.hand = True, hands.put_back(desk.hand)
            _tell(desk, scene, message, style)
            return (Ask(say.GetRecord(race=message.race)),)
        case msg.RacerWon() if message.player == model.me:
            _tell(desk, scene, message, style)
            desk.victory = desk.log[-1][0]
        case _:
            _tell(desk, scene, message, style)
    if model.game is not None:
        desk.runs = model.game.runs
        desk.hand = hands.settled(desk.hand, model.game.columns)
    return ()


def ticked(desk: Desk, scene: Scene) -> Effects:
    """Ring for each of the last seconds before a race."""
    if scene.model.phase is not Phase.COUNTDOWN:
        desk.called = -1
        return ()
    left = -(-scene.model.starts_in(scene.now) // 1000)
    if left == desk.called:
        return ()
    desk.called = left
    return (Ring(),) if desk.prefer.bell and 1 <= left <= 3 else ()


def _begin(desk: Desk) -> None:
    """A race has begun: whatever was open gives way to it."""
    desk.open(Page.ROOM)
    desk.results, desk.record, desk.reels, desk.replay = False, None, {}, None
    desk.shown, desk.boards, desk.victory = "", {}, ""
    desk.status, desk.hand = "", replace(hands.put_back(desk.hand), cursor=0, pressed=None)


def _tell(desk: Desk, scene: Scene, message: msg.FromServer, style: Style) -> None:
    text = sentence(scene.model, message, style)
    if text is not None:
        desk.tell(text, Role.TEXT if isinstance(message, msg.ChatMessage | msg.RacerWon) else Role.QUIET)
