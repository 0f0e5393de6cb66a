"""Messages from the server to a client: one class for each, tagged by `type`.

They are defined in `protocol.answers`, `protocol.race_messages` and `protocol.room_events`, and all can be
imported from here.
"""

from protocol.answers import Done, Error, Notice, Pong, Resumed, Room, Welcome
from protocol.base import Event, Message
from protocol.race_messages import Accepted, Board, Game, Leaderboard, RecordSent, Refused, Standings
from protocol.room_events import (
    ChatMessage,
    Configured,
    CountdownCancelled,
    CountdownStarted,
    HostChanged,
    LobbyOpened,
    LockChanged,
    MemberDisconnected,
    MemberJoined,
    MemberLeft,
    MemberReconnected,
    RaceEnded,
    RacerForfeited,
    RacerForfeitUndone,
    RacerWon,
    RaceStarted,
    ReadyChanged,
    RoomEvent,
)

__all__ = [
    "Accepted",
    "Board",
    "ChatMessage",
    "Configured",
    "CountdownCancelled",
    "CountdownStarted",
    "Done",
    "Error",
    "Event",
    "FromServer",
    "Game",
    "HostChanged",
    "Leaderboard",
    "LobbyOpened",
    "LockChanged",
    "MemberDisconnected",
    "MemberJoined",
    "MemberLeft",
    "MemberReconnected",
    "Message",
    "Notice",
    "Pong",
    "RaceEnded",
    "RaceStarted",
    "RacerForfeitUndone",
    "RacerForfeited",
    "RacerWon",
    "ReadyChanged",
    "RecordSent",
    "Refused",
    "Resumed",
    "Room",
    "RoomEvent",
    "Standings",
    "Welcome",
]


FromServer = (
    Welcome
    | Pong
    | Done
    | Error
    | Notice
    | Room
    | Resumed
    | RoomEvent
    | Accepted
    | Refused
    | Game
    | Board
    | Standings
    | Leaderboard
    | RecordSent
)
