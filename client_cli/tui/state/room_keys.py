"""Keys of the room: requests, prompts, pages, results and boards."""

from dataclasses import replace

from client_cli.tui.state.effects import CopyText, Effects, LeaveRoom, OpenPrompt, Prompt, SendRequest
from client_cli.tui.state.keys import KeyAction
from client_cli.tui.state.playback import Playback
from client_cli.tui.state.room_settings import Draft
from client_cli.tui.state.state import Context, Measure, Page, ScreenState, Update
from protocol import from_client
from protocol.parts import Phase


def press(state: ScreenState, context: Context, action: KeyAction) -> Update:
    """Do what a key of the room means."""
    match action:
        case KeyAction.READY | KeyAction.NEXT_RACE:
            state = replace(state, show_results=False)
            return state, _requests(context, action)
        case KeyAction.START | KeyAction.LOCK | KeyAction.COPY_INVITATION | KeyAction.LEAVE:
            return state, _requests(context, action)
        case KeyAction.CHAT:
            return state, (OpenPrompt(Prompt.CHAT),)
        case KeyAction.COMMAND:
            return state, (OpenPrompt(Prompt.COMMAND),)
        case KeyAction.SAVE if context.model.races:
            name = f"simonrace-{context.model.room}-{context.model.races}.json"
            return state, (OpenPrompt(Prompt.SAVE_PATH, name),)
        case KeyAction.NEXT_RACER | KeyAction.PREVIOUS_RACER:
            return _choose_board(state, context, 1 if action is KeyAction.NEXT_RACER else -1)
        case KeyAction.LAST_RESULTS:
            return replace(state, show_results=bool(context.model.results)), ()
        case KeyAction.NEXT_MEASURE:
            measures = list(Measure)
            measure = measures[(measures.index(state.measure) + 1) % len(measures)]
            return replace(state, measure=measure), ()
        case KeyAction.UP | KeyAction.DOWN:
            line = max(0, state.line + (1 if action is KeyAction.DOWN else -1))
            return replace(state, line=line), ()
        case _:
            return _open_page(state, context, action)


def _requests(context: Context, action: KeyAction) -> Effects:
    """Return what a key of the room asks the server or the shell for."""
    model = context.model
    match action:
        case KeyAction.READY | KeyAction.NEXT_RACE:
            me = next((each for each in model.members if each.player == model.me), None)
            ready = action is KeyAction.NEXT_RACE or not (me and me.ready)
            return (SendRequest(from_client.Ready(ready=ready)),)
        case KeyAction.START if model.phase is Phase.COUNTDOWN:
            return (SendRequest(from_client.CancelCountdown()),)
        case KeyAction.START:
            return (SendRequest(from_client.StartCountdown()),)
        case KeyAction.LOCK:
            return (SendRequest(from_client.Lock(locked=not model.locked)),)
        case KeyAction.COPY_INVITATION:
            return (CopyText(f"simonrace join {context.share_link}"),)
        case KeyAction.LEAVE:
            return (LeaveRoom(),)
        case _:
            return ()


def _open_page(state: ScreenState, context: Context, action: KeyAction) -> Update:
    model = context.model
    match action:
        case KeyAction.ROOM_SETTINGS:
            draft = Draft(model.settings, context.named_code)
            return replace(state, draft=draft).with_page(Page.SETTINGS), ()
        case KeyAction.MEMBERS:
            return state.with_page(Page.MEMBERS), ()
        case KeyAction.OPTIONS:
            return state.with_page(Page.OPTIONS), ()
        case KeyAction.HELP:
            return state.with_page(Page.HELP), ()
        case KeyAction.REPLAY:
            return _open_replay(state, context)
        case KeyAction.LEADERBOARD:
            state = replace(state, leaderboard=None).with_page(Page.LEADERBOARD)
            if model.race is None:
                return state, ()
            return state, (SendRequest(from_client.SubscribeLeaderboard(code=model.race.code)),)
        case KeyAction.CLOSE:
            page = state.page_before_help if state.page is Page.HELP else Page.ROOM
            results = state.show_results and state.page is not Page.ROOM
            return replace(state, show_results=results).with_page(page), ()
        case _:
            return state, ()


def _open_replay(state: ScreenState, context: Context) -> Update:
    model = context.model
    if state.recording is None:
        return state, (SendRequest(from_client.GetRecord(race=model.races)),)
    racers = state.recording.racers
    first = model.me if model.me in racers else racers[0]
    return replace(state, playback=Playback(first)).with_page(Page.REPLAY), ()


def _choose_board(state: ScreenState, context: Context, step: int) -> Update:
    """Choose the next or previous racer once boards are shown, and request that racer's board."""
    racers = context.model.race.racers if context.model.race else ()
    if not racers:
        return state, ()
    at = racers.index(state.watched) + step if state.watched in racers else 0
    player = racers[at % len(racers)]
    if state.boards:
        state = replace(state, watched=player)
    return state, (SendRequest(from_client.GetBoard(player=player)),)
