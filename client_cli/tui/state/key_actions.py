"""What a key does: it changes the desk, and returns what is to happen outside."""

from dataclasses import replace

from client_cli.core.commands import SimpleCommand
from client_cli.core.translatable import gettext_noop as _
from client_cli.tui.state import menus, playback
from client_cli.tui.state import selection as hands
from client_cli.tui.state.effects import Act, Ask, Copy, Effects, Leave, Type, Typing
from client_cli.tui.state.keys import Do, Where, find
from client_cli.tui.state.room_settings import Draft
from client_cli.tui.state.state import Desk, Measure, Page, Player, Scene
from protocol import from_client as say
from protocol.parts import Phase

_SURE = (Do.RESTART, Do.FORFEIT, Do.LEAVE)
QUESTIONS = {
    Do.RESTART: _("Begin the deal again? The clock goes on."),
    Do.FORFEIT: _("Give up this race?"),
    Do.LEAVE: _("Leave the room?"),
    Do.CHOOSE: _("Remove {name} from the room for good?"),
}
"""Keys that are asked about first; CHOOSE is that for a person in the list of people."""


def press(desk: Desk, scene: Scene, key: str) -> Effects:
    """Do what a key means where it is pressed."""
    if desk.question is not None:
        return _answer(desk, scene, key)
    where = desk.where(scene.model)
    do = find(where, key)
    if do is None:
        return ()
    desk.status = ""
    if do is Do.COLUMN and scene.model.game is not None:
        return handled(desk, hands.column(desk.hand, (int(key) - 1) % 10, scene.model.game.columns))
    if do in _SURE and not (do is Do.LEAVE and where is Where.ENDED):
        desk.question = do
        return ()
    match where:
        case Where.RACE:
            return _race(desk, scene, do) or _anywhere(desk, scene, do)
        case Where.REPLAY:
            return _replay(desk, scene, do)
        case Where.MENU:
            return menus.press(desk, scene, do)
        case _:
            return _anywhere(desk, scene, do)


def _answer(desk: Desk, scene: Scene, key: str) -> Effects:
    """A question is answered by y or enter; everything else means no."""
    do, desk.question = desk.question, None
    if key not in {"y", "Y", "enter", "ctrl+c", "是"}:
        return ()
    match do:
        case Do.RESTART | Do.FORFEIT:
            desk.hand = hands.put_back(desk.hand)
            return (Act(SimpleCommand("restart" if do is Do.RESTART else "forfeit")),)
        case Do.LEAVE:
            return (Leave(),)
        case _:
            return (Ask(say.Kick(player=desk.kicked)),) if scene.model.me != desk.kicked else ()


def _race(desk: Desk, scene: Scene, do: Do) -> Effects:
    game = scene.model.game
    if game is None:
        return ()
    table, hand = game.columns, desk.hand
    match do:
        case Do.LEFT | Do.RIGHT:
            desk.hand = hands.moved(hand, 1 if do is Do.RIGHT else -1)
        case Do.MORE | Do.FEWER:
            desk.hand = hands.resized(hand, 1 if do is Do.MORE else -1, table)
        case Do.HERE:
            return handled(desk, hands.here(hand, table))
        case Do.BEST:
            return handled(desk, hands.best(hand, table))
        case Do.BACK:
            desk.hand = hands.put_back(hand)
        case Do.UNDO:
            desk.hand = hands.put_back(hand)
            return (Act(SimpleCommand("undo")),)
        case Do.AUTO_PLACE:
            return menus.toggle(desk, "auto_place")
        case _:
            return ()
    return ()


def handled(desk: Desk, outcome: hands.Outcome) -> Effects:
    """Take up what became of the hand."""
    desk.hand, shift = outcome
    return () if shift is None else (Act(shift),)


def _replay(desk: Desk, scene: Scene, do: Do) -> Effects:
    player = desk.replay
    if player is None or (reel := desk.reel(player.player)) is None:
        desk.open(Page.ROOM)
        return ()
    match do:
        case Do.NEXT_PLAYER | Do.LAST_PLAYER:
            racers = [each.player for each in desk.record.results] if desk.record else []
            at = racers.index(player.player) + (1 if do is Do.NEXT_PLAYER else -1)
            other = racers[at % len(racers)]
            new = desk.reel(other)
            number = new.at(int(player.moment)) if new else 0
            desk.replay = replace(player, player=other, number=number)
        case Do.CLOSE | Do.HELP | Do.SAVE:
            player.playing = False
            return _anywhere(desk, scene, do)
        case _:
            playback.steer(player, reel, do)
    return ()


def _anywhere(desk: Desk, scene: Scene, do: Do) -> Effects:
    model = scene.model
    match do:
        case Do.READY | Do.NEXT_RACE:
            me = next((each for each in model.members if each.player == model.me), None)
            desk.results = False
            return (Ask(say.Ready(ready=do is Do.NEXT_RACE or not (me and me.ready))),)
        case Do.START:
            return (Ask(say.CancelCountdown() if model.phase is Phase.COUNTDOWN else say.StartCountdown()),)
        case Do.ROOM_SETTINGS:
            desk.draft = Draft(model.settings, scene.named)
            desk.open(Page.SETTINGS)
        case Do.PEOPLE:
            desk.open(Page.PEOPLE)
        case Do.LOCK:
            return (Ask(say.Lock(locked=not model.locked)),)
        case Do.COPY:
            return (Copy(f"simonrace join {scene.share}"),)
        case Do.LAST_RESULTS:
            desk.results = bool(model.results)
        case Do.REPLAY:
            return _watch_again(desk, scene)
        case Do.CHART:
            desk.measure = list(Measure)[(list(Measure).index(desk.measure) + 1) % len(Measure)]
        case Do.SAVE:
            return (Type(Typing.SAVE, f"simonrace-{model.room}-{model.races}.json"),) if model.races else ()
        case Do.SAY:
            return (Type(Typing.SAY),)
        case Do.COMMAND:
            return (Type(Typing.COMMAND),)
        case Do.LEADERBOARD:
            desk.ladder = None
            desk.open(Page.LEADERBOARD)
            return (Ask(say.SubscribeLeaderboard(code=model.race.code)),) if model.race else ()
        case Do.OPTIONS:
            desk.open(Page.OPTIONS)
        case Do.HELP:
            desk.open(Page.HELP)
        case Do.NEXT_PLAYER | Do.LAST_PLAYER:
            return _other_board(desk, scene, 1 if do is Do.NEXT_PLAYER else -1)
        case Do.UP | Do.DOWN:
            desk.line = max(0, desk.line + (1 if do is Do.DOWN else -1))
        case Do.CLOSE:
            if desk.page is Page.ROOM:
                desk.results = False
            desk.open(desk.before if desk.page is Page.HELP else Page.ROOM)
        case Do.LEAVE:
            return (Leave(),)
        case _:
            pass
    return ()


def _watch_again(desk: Desk, scene: Scene) -> Effects:
    if desk.record is None:
        return (Ask(say.GetRecord(race=scene.model.races)),)
    racers = [each.player for each in desk.record.results]
    first = scene.model.me if scene.model.me in racers else racers[0]
    desk.replay = Player(first)
    desk.open(Page.REPLAY)
    return ()


def _other_board(desk: Desk, scene: Scene, step: int) -> Effects:
    """Choose the racer before or after, once boards are shown, and ask for that board."""
    racers = scene.model.race.racers if scene.model.race else ()
    if not racers:
        return ()
    player = racers[(racers.index(desk.shown) + step) % len(racers) if desk.shown in racers else 0]
    if desk.boards:
        desk.shown = player
    return (Ask(say.GetBoard(player=player)),)
