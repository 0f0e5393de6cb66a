"""Messages from a client to the server: one class for each, tagged by `type`."""

from typing import Annotated

from msgspec import Meta, Struct, field

from protocol import limits
from protocol.parts import Settings, StandingsMode

Ref = Annotated[int, Meta(ge=0, lt=2**31, description="chosen by the client, returned in the answer")]
Number = Annotated[int, Meta(ge=1, lt=2**31, description="1, 2, 3...: the place in the racer's log")]
RaceNumber = Annotated[int, Meta(ge=1, lt=2**31, description="number of the race in its room: 1, 2, 3...")]
Column = Annotated[int, Meta(ge=0, lt=100, description="counted from 0; 10 and more are refused")]
Cards = Annotated[int, Meta(ge=0, lt=100, description="how many cards")]
Id = Annotated[str, Meta(min_length=1, max_length=64)]
Password = Annotated[str, Meta(min_length=1, max_length=limits.PASSWORD_LENGTH)]


class Request(Struct, frozen=True, tag_field="type", kw_only=True, omit_defaults=True):
    """Base of all requests except actions: a reference that the answer echoes."""

    ref: Ref = 0


class Action(Struct, frozen=True, tag_field="type", kw_only=True, omit_defaults=True):
    """Base of a racer's actions: the race that the action belongs to and its number in the racer's log."""

    race: RaceNumber
    n: Number


class Hello(Request, frozen=True, kw_only=True, tag="hello"):
    """Identify the client: the first message. Without `player` and `token` the server creates an identity."""

    client: Annotated[str, Meta(max_length=limits.CLIENT_LENGTH)] = ""
    name: Annotated[str, Meta(max_length=4 * limits.NAME_LENGTH)]
    player: Id | None = None
    token: Id | None = None
    lang: Annotated[str, Meta(max_length=35)] = "en"
    standings: StandingsMode = StandingsMode.WHOLE


class Ping(Request, frozen=True, kw_only=True, tag="ping"):
    """Ask for a `pong` with a sample of the server's clock."""


class Create(Request, frozen=True, kw_only=True, tag="create"):
    """Open a room and enter it. With `code`, its first race uses that deal."""

    settings: Settings = Settings()
    code: Annotated[str, Meta(max_length=64)] | None = None
    password: Password | None = None


class Join(Request, frozen=True, kw_only=True, tag="join"):
    """Enter a room, or return to it. With `seen`, the last `seq` received, missed events are replayed."""

    room: Id
    password: Password | None = None
    spectate: bool = False
    seen: Annotated[int, Meta(ge=0, lt=2**31)] | None = None


class Leave(Request, frozen=True, kw_only=True, tag="leave"):
    """Give up the seat in the room. In a running race the game stays as it is."""


class Ready(Request, frozen=True, kw_only=True, tag="ready"):
    """Set whether the client takes part in the next race."""

    ready: bool = True


class StartCountdown(Request, frozen=True, kw_only=True, tag="start_countdown"):
    """Start the countdown (host)."""


class CancelCountdown(Request, frozen=True, kw_only=True, tag="cancel_countdown"):
    """Cancel the countdown (host)."""


class Configure(Request, frozen=True, kw_only=True, tag="configure"):
    """Replace the settings (host; not during a countdown or race). `code` names the deal of the next race."""

    settings: Settings
    code: Annotated[str, Meta(max_length=64)] | None = None


class Lock(Request, frozen=True, kw_only=True, tag="lock"):
    """Lock or unlock the room for new members (host)."""

    locked: bool = True


class Kick(Request, frozen=True, kw_only=True, tag="kick"):
    """Remove a member, who cannot enter the room again (host)."""

    player: Id


class Chat(Request, frozen=True, kw_only=True, tag="chat"):
    """Send a line of text to everybody in the room."""

    text: Annotated[str, Meta(min_length=1, max_length=limits.CHAT_LENGTH)]


class GetGame(Request, frozen=True, kw_only=True, tag="get_game"):
    """Get the client's own game as the server has it."""


class GetBoard(Request, frozen=True, kw_only=True, tag="get_board"):
    """Get a racer's board: after the race, or for spectators during it if the room has `live_boards`."""

    player: Id


class GetRecord(Request, frozen=True, kw_only=True, tag="get_record"):
    """Get the record of a finished race, by which it can be replayed and verified."""

    race: RaceNumber


class SubscribeLeaderboard(Request, frozen=True, kw_only=True, tag="subscribe_leaderboard"):
    """Get the leaderboards of a game code, now and after every change."""

    code: Annotated[str, Meta(max_length=64)]


class UnsubscribeLeaderboard(Request, frozen=True, kw_only=True, tag="unsubscribe_leaderboard"):
    """Stop receiving the leaderboards of a game code."""

    code: Annotated[str, Meta(max_length=64)]


class Move(Action, frozen=True, kw_only=True, tag="move"):
    """Move the last `cards` cards of a column to another column."""

    source: Column = field(name="from")
    target: Column = field(name="to")
    cards: Cards


class AutoMove(Action, frozen=True, kw_only=True, tag="auto_move"):
    """Move the group at the end of a column to the best column, like a double click."""

    source: Column = field(name="from")
    cards: Cards | None = None


class Undo(Action, frozen=True, kw_only=True, tag="undo"):
    """Undo the last move; within 10 seconds after `forfeit`, undo the forfeit."""


class Restart(Action, frozen=True, kw_only=True, tag="restart"):
    """Reset board, score, moves and undo history to the start of the deal. The race time goes on."""


class Forfeit(Action, frozen=True, kw_only=True, tag="forfeit"):
    """Forfeit the race."""


AnyAction = Move | AutoMove | Undo | Restart | Forfeit
RoomRequest = Ready | StartCountdown | CancelCountdown | Configure | Lock | Kick | Chat
FromClient = (
    Hello
    | Ping
    | Create
    | Join
    | Leave
    | RoomRequest
    | GetGame
    | GetBoard
    | GetRecord
    | SubscribeLeaderboard
    | UnsubscribeLeaderboard
    | AnyAction
)
