"""Handlers of the server's messages and of time. The room's model already contains the message."""

from dataclasses import replace

from client_cli.core.own_game import from_view
from client_cli.text import server_texts
from client_cli.text.sentences import sentence
from client_cli.text.style import Role, Style
from client_cli.tui.state import selection as selections
from client_cli.tui.state.effects import RingBell, SaveRecord, SendRequest
from client_cli.tui.state.recorded_game import Recording
from client_cli.tui.state.state import Context, Page, ScreenState, Update
from protocol import from_client, from_server
from protocol.parts import Phase


def handle(state: ScreenState, context: Context, message: from_server.FromServer, style: Style) -> Update:
    """Return the state after a message, and what it asks for outside."""
    model, translate = context.model, style.translate
    match message:
        case from_server.Refused() if message.race == model.race_number:
            state = replace(state, status=server_texts.refused(translate, message))
        case from_server.Error():
            state = replace(state, status=server_texts.error(translate, message))
        case from_server.Notice():
            state = state.with_log(server_texts.notice(translate, message), Role.WARNING)
        case from_server.Accepted() if message.race == model.race_number:
            state = replace(state, status="")
            if message.run is not None and message.runs > state.runs:
                king = style.card(f"K{message.run}").strip()
                text = translate("You removed a run, from {king} down.", king=king)
                state = state.with_log_before_win(text, Role.BAR)
        case from_server.Board() if model.race is not None and message.race == model.race.number:
            boards = {**state.boards, message.player: from_view(message.game)}
            state = replace(state, boards=boards, watched=state.watched or message.player)
        case from_server.Leaderboard():
            state = replace(state, leaderboard=message)
        case from_server.RecordSent():
            path = state.save_path
            state = replace(state, recording=Recording(message.record), save_path="")
            return state, (SaveRecord(path),) if path else ()
        case from_server.Room():
            over = model.phase is Phase.RESULTS
            # The boards are perhaps of an earlier race.
            state = replace(state, watched="", boards={}, show_results=over)
            return state, (SendRequest(from_client.GetRecord(race=model.races)),) if over else ()
        case from_server.RaceStarted():
            state = _log_message(_race_started(state), context, message, style)
            return state, (RingBell(),) if state.preferences.bell else ()
        case from_server.RaceEnded():
            state = replace(state, show_results=True, selection=selections.put_back(state.selection))
            state = _log_message(state, context, message, style)
            return state, (SendRequest(from_client.GetRecord(race=message.race)),)
        case from_server.RacerWon() if message.player == model.me:
            state = _log_message(state, context, message, style)
            state = replace(state, win_sentence=state.log[-1][0])
        case _:
            state = _log_message(state, context, message, style)
    if model.game is not None:
        selection = selections.after_board_change(state.selection, model.game.columns)
        state = replace(state, runs=model.game.runs, selection=selection)
    return state, ()


def handle_tick(state: ScreenState, context: Context) -> Update:
    """Ring the bell for each of the last three seconds before a race."""
    if context.model.phase is not Phase.COUNTDOWN:
        return replace(state, countdown_second=-1), ()
    second = -(-context.model.starts_in(context.now_ms) // 1000)
    if second == state.countdown_second:
        return state, ()
    rings = state.preferences.bell and 1 <= second <= 3
    return replace(state, countdown_second=second), (RingBell(),) if rings else ()


def _race_started(state: ScreenState) -> ScreenState:
    """Return the state at the start of a race: an open page is closed."""
    return replace(
        state.with_page(Page.ROOM),
        show_results=False,
        recording=None,
        playback=None,
        watched="",
        boards={},
        win_sentence="",
        status="",
        selection=replace(selections.put_back(state.selection), cursor=0, pressed=None),
    )


def _log_message(
    state: ScreenState, context: Context, message: from_server.FromServer, style: Style
) -> ScreenState:
    text = sentence(context.model, message, style)
    if text is None:
        return state
    important = isinstance(message, from_server.ChatMessage | from_server.RacerWon)
    return state.with_log(text, Role.TEXT if important else Role.QUIET)
