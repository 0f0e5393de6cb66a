"""Types of fields that several messages share, each with its description.

They describe and do not validate: a client accepts any number from a server, so that limits can change. The
bounds of what a client sends stand where its message is defined.
"""

from typing import Annotated

from msgspec import Meta

Ref = Annotated[int, Meta(description="`ref` of the request that this answers; absent if it had none")]
PlayerId = Annotated[str, Meta(description="public id of a player; opaque, up to 64 characters")]
RoomCode = Annotated[str, Meta(description="code of the room: five letters of BCDFGHJKMNPQRTVWXY")]
GameCode = Annotated[str, Meta(description="game code of the deal, as `SS1-S1-AAAAABD`")]
RaceNumber = Annotated[int, Meta(description="number of the race in its room: 1, 2, 3...")]
ActionNumber = Annotated[
    int, Meta(description="number of the action: 1, 2, 3... for each racer, from 1 again in each race")
]
ChatText = Annotated[str, Meta(description="line of text")]
Columns = Annotated[
    list[list[str]],
    Meta(
        description="ten columns from left to right, each from its deepest card to the free one; a card is "
        "a rank of A23456789TJQK and a suit of SHDC, as `TH`"
    ),
]

ClockMs = Annotated[
    int, Meta(description="the servers' clock in ms; only differences of two samples have a meaning")
]
ElapsedMs = Annotated[int, Meta(description="race time when this was sent, in ms")]
AtMs = Annotated[int, Meta(description="race time when it happened: ms since the start of the race")]
TimeLimitMs = Annotated[int, Meta(description="longest duration of the race in ms")]

Score = Annotated[int, Meta(description="500, less 1 for each move, plus 100 for each run; may be negative")]
Moves = Annotated[int, Meta(description="number of moves; an undone move does not count")]
Runs = Annotated[int, Meta(description="king-to-ace runs that have left the table, 0 to 4")]
Undoable = Annotated[int, Meta(description="how many moves can be undone now, 0 to 100")]
Progress = Annotated[
    int, Meta(description="cards in order: pairs of neighbours of one suit and descending rank; 48 when won")
]

SourceColumn = Annotated[int, Meta(description="column that the cards leave, 0 to 9 from the left")]
TargetColumn = Annotated[int, Meta(description="column that the cards go to, 0 to 9 from the left")]
CardCount = Annotated[int, Meta(description="how many cards move, counted from the free end")]
MovedFrom = Annotated[int, Meta(description="column that the cards left; see `cards`")]
MovedTo = Annotated[int, Meta(description="column that the cards went to; see `cards`")]
MovedCards = Annotated[
    int, Meta(description="how many cards moved; for an undo, of the move undone; absent if no card moved")
]
