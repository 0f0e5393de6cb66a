"""Everything that a client says to the server: one class a message, tagged by `type`."""

from typing import Annotated

from msgspec import Meta, Struct, field

from protocol import limits
from protocol.parts import Settings

Ref = Annotated[int, Meta(ge=0, lt=2**31, description="chosen by the client, returned in the answer")]
Number = Annotated[int, Meta(ge=1, lt=2**31, description="1, 2, 3...: the place in the racer's log")]
Column = Annotated[int, Meta(ge=0, lt=100, description="counted from 0; 10 and more are refused")]
Count = Annotated[int, Meta(ge=0, lt=100, description="cards")]
Id = Annotated[str, Meta(min_length=1, max_length=64)]
Password = Annotated[str, Meta(min_length=1, max_length=limits.PASSWORD_LENGTH)]


class Request(Struct, frozen=True, tag_field="type", kw_only=True, omit_defaults=True):
    """What all requests but racers' actions share: a reference that the answer carries too."""

    ref: Ref = 0


class Action(Struct, frozen=True, tag_field="type", kw_only=True, omit_defaults=True):
    """What all actions of a racer share: their number in the racer's log."""

    n: Number


class Hello(Request, frozen=True, kw_only=True, tag="hello"):
    """The first message: who I am. Without `player` and `token` a new identity is made."""

    client: Annotated[str, Meta(max_length=limits.CLIENT_LENGTH)] = ""
    name: Annotated[str, Meta(max_length=4 * limits.NAME_LENGTH)]
    player: Id | None = None
    token: Id | None = None
    lang: Annotated[str, Meta(max_length=35)] = "en"


class Ping(Request, frozen=True, kw_only=True, tag="ping"):
    """Ask for a `pong` with a sample of the server's clock."""


class Create(Request, frozen=True, kw_only=True, tag="create"):
    """Open a room; the answer is `room`. With `code` its first race is on that deal."""

    settings: Settings = Settings()
    code: Annotated[str, Meta(max_length=64)] | None = None
    password: Password | None = None


class Join(Request, frozen=True, kw_only=True, tag="join"):
    """Come into a room, or back: with `seen`, the last `seq` one saw, missed events are replayed."""

    room: Id
    password: Password | None = None
    watch: bool = False
    seen: Annotated[int, Meta(ge=0, lt=2**31)] | None = None


class Leave(Request, frozen=True, kw_only=True, tag="leave"):
    """Give up the seat in the room; in a running race the game stays as it is."""


class Ready(Request, frozen=True, kw_only=True, tag="ready"):
    """Say that one takes part in the next race, or not."""

    ready: bool = True


class Start(Request, frozen=True, kw_only=True, tag="start"):
    """Start the countdown (host)."""


class Cancel(Request, frozen=True, kw_only=True, tag="cancel"):
    """Stop the countdown (host)."""


class Configure(Request, frozen=True, kw_only=True, tag="configure"):
    """Replace the settings (host, not in countdown or race). `code` names the deal of the next race."""

    settings: Settings
    code: Annotated[str, Meta(max_length=64)] | None = None


class Lock(Request, frozen=True, kw_only=True, tag="lock"):
    """Let nobody new into the room, or let them in again (host)."""

    locked: bool = True


class Kick(Request, frozen=True, kw_only=True, tag="kick"):
    """Remove somebody from the room for good (host)."""

    player: Id


class Say(Request, frozen=True, kw_only=True, tag="say"):
    """Say a line to everybody in the room."""

    text: Annotated[str, Meta(min_length=1, max_length=limits.CHAT_LENGTH)]


class GetGame(Request, frozen=True, kw_only=True, tag="get_game"):
    """Ask for one's own game as the server has it; the answer is `game`."""


class ShowBoard(Request, frozen=True, kw_only=True, tag="show_board"):
    """Ask for somebody's board: after the race, or when watching if the room has `live_boards`."""

    player: Id


class GetRecord(Request, frozen=True, kw_only=True, tag="get_record"):
    """Ask for everything about a finished race, so that it can be replayed and verified."""

    race: Annotated[int, Meta(ge=1, lt=2**31)]


class FollowLeaderboard(Request, frozen=True, kw_only=True, tag="follow_leaderboard"):
    """Ask for the leaderboards of a game code, now and whenever they change."""

    code: Annotated[str, Meta(max_length=64)]


class UnfollowLeaderboard(Request, frozen=True, kw_only=True, tag="unfollow_leaderboard"):
    """Stop following the leaderboards of a game code."""

    code: Annotated[str, Meta(max_length=64)]


class Move(Action, frozen=True, kw_only=True, tag="move"):
    """Move the last `count` cards of a column to another."""

    source: Column = field(name="from")
    target: Column = field(name="to")
    count: Count


class Auto(Action, frozen=True, kw_only=True, tag="auto"):
    """The double-click move: the group at the end of a column goes to the best place."""

    source: Column = field(name="from")
    count: Count | None = None


class Undo(Action, frozen=True, kw_only=True, tag="undo"):
    """Take the last action back; after `forfeit`, for 10 seconds, the forfeit."""


class Restart(Action, frozen=True, kw_only=True, tag="restart"):
    """Begin the deal again: board, score, moves and undo as at the start; the clock goes on."""


class Forfeit(Action, frozen=True, kw_only=True, tag="forfeit"):
    """Give up this race."""


AnyAction = Move | Auto | Undo | Restart | Forfeit
RoomRequest = Ready | Start | Cancel | Configure | Lock | Kick | Say
FromClient = (
    Hello
    | Ping
    | Create
    | Join
    | Leave
    | RoomRequest
    | GetGame
    | ShowBoard
    | GetRecord
    | FollowLeaderboard
    | UnfollowLeaderboard
    | AnyAction
)
