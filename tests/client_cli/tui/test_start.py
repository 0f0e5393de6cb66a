"""The full screen against a real server: races, kicks, full rooms and restarts, as people meet them."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec
import pytest
import websockets
from fullscreen import Evening
from racetest import CODE, Connect, StartNode, solution, until, url_of
from textual.pilot import Pilot
from websockets.asyncio.server import ServerConnection, serve

from client_cli.core.addresses import Server
from client_cli.core.commands import MoveCards
from client_cli.core.connection_end import REPLACED, ConnectionEnd
from client_cli.core.conversation import Conversation, Identity
from client_cli.core.own_game import table
from client_cli.net.connection import Connection, UnreachableError
from client_cli.text.style import Style
from client_cli.tui import start
from client_cli.tui.app import RaceApp
from client_cli.tui.views.ink import text_of
from protocol import from_client as say
from protocol.codec import JSON_CODEC, MSGPACK_CODEC
from protocol.parts import Phase, RacerState, Settings
from server.core.token_bucket import Quota
from server.node import Node

SIZE = (80, 24)


class Sitting:
    """Somebody at a full screen: the app in a pilot's hands, and what it shows."""

    def __init__(self, app: RaceApp, pilot: Pilot[None]) -> None:
        self.app, self.conversation, self.press = app, app.seat.conversation, pilot.press

    @property
    def text(self) -> str:
        return "\n".join(text_of(each) for each in self.app.pane.rows)

    async def sees(self, words: str) -> None:
        await until(lambda: words in self.text)


Story = Callable[[Sitting], Awaitable[None]]
Sit = Callable[..., Awaitable[ConnectionEnd]]


@pytest.fixture
def sit(tmp_path: Path) -> Sit:
    """Let somebody sit down at a full screen and live through a story there; return why it ended."""

    async def sat(
        where: Node | str, goal: say.Create | say.Join, story: Story, **options: object
    ) -> ConnectionEnd:
        async def run(app: RaceApp) -> None:
            async with app.run_test(size=SIZE) as pilot:
                await story(Sitting(app, pilot))

        conversation = Conversation("Ada", goal, options.get("identity"))  # type: ignore[arg-type]  # an Identity if any
        server = Server(where if isinstance(where, str) else url_of(where))
        codec = JSON_CODEC if options.get("json") else MSGPACK_CODEC
        return await start.full_screen(
            conversation,
            server,
            connect=lambda watcher: Connection(server, conversation, watcher, codec),
            keep=lambda _: None,
            style=Style(*SIZE),
            home=tmp_path,
            colours=True,
            run=run,
        )

    return sat


async def never(_: Sitting) -> None:
    raise AssertionError("there should have been no screen")


@pytest.mark.parametrize("json", [False, True])
async def test_a_whole_race_from_the_lobby_to_the_next_one(
    node: StartNode, person: Connect, sit: Sit, json: bool
) -> None:
    """Ada at the screen and Ben at another client race on one deal; then both are ready again."""
    where = await node()
    ben = await person(where, "Ben")

    async def story(ada: Sitting) -> None:
        await ben.join(ada.conversation.model.room)
        await ben.ready()
        await ada.sees("✓ Ben")
        await ada.press("r")
        await ada.sees("✓ Ada")
        await ada.press("s")
        await ada.sees("2 racers")
        await ben.racing()
        first = solution()[0]
        await ada.press(str((first["from"] + 1) % 10), str((first["to"] + 1) % 10))
        await until(lambda: ada.conversation.idle)
        for move in solution()[1:]:
            ada.conversation.submit_action(MoveCards(move["from"], move["to"], move["count"]))
        ada.app.seat.nudge()
        await ada.sees("You have won!")
        await ben.win()
        await ada.sees("Cards in order, over time")
        assert [each.name for each in ada.conversation.model.results] == ["Ada", "Ben"]
        await ada.press("w", "end")
        await ada.sees(f"action {len(solution())} of {len(solution())}")
        await ada.press("escape", "l")
        await ada.sees(f"Leaderboards of {CODE}")
        await ada.press("escape", "n")
        await ben.expect("ready_changed", player=ada.conversation.model.me, ready=True)
        await ada.press("q", "y")
        await until(lambda: ada.conversation.ended is not None)

    assert await sit(
        where, say.Create(settings=Settings(countdown_s=0), code=CODE), story, json=json
    ) == ConnectionEnd(False, "")
    await ben.expect("person_left")


async def test_a_refused_move_shows_its_rule_and_leaves_the_board(node: StartNode, sit: Sit) -> None:
    async def story(ada: Sitting) -> None:
        ada.conversation.submit_request(say.Ready())
        ada.conversation.submit_request(say.StartCountdown())
        ada.app.seat.nudge()
        await ada.sees("1 racer")
        assert ada.conversation.model.race is not None
        await ada.press("1", "up", "0")
        await ada.sees("A card goes on a card that is one rank higher.")
        assert ada.conversation.model.game is not None
        assert ada.conversation.model.game.columns == ada.conversation.model.race.deal

    await sit(await node(), say.Create(settings=Settings(countdown_s=0), code=CODE), story)


async def test_somebody_who_is_removed_reads_so_on_the_screen(
    node: StartNode, person: Connect, sit: Sit
) -> None:
    where = await node()
    host = await person(where, "Host")
    room = await host.create()

    async def story(ada: Sitting) -> None:
        await host.do("kick", player=ada.conversation.model.me)
        await ada.sees("The host has removed you from this room.")
        await ada.press("q")

    verdict = await sit(where, say.Join(room=room), story)
    assert verdict == ConnectionEnd(False, "The host has removed you from this room.")


async def test_a_newer_connection_ends_this_one_and_says_so(
    node: StartNode, person: Connect, sit: Sit
) -> None:
    where = await node()
    host = await person(where, "Host")
    room = await host.create()

    async def story(ada: Sitting) -> None:
        known = ada.conversation.identity
        assert known is not None
        twin = host.again()
        twin.player, twin.token = known.player, known.token
        await (await twin.open()).hello()
        await twin.join(room)
        await ada.sees("the newest connection wins.")
        await ada.sees("use --name.")

    assert await sit(where, say.Join(room=room), story) == ConnectionEnd(False, REPLACED)


async def test_a_full_room_is_told_without_a_screen(node: StartNode, person: Connect, sit: Sit) -> None:
    where = await node()
    host = await person(where, "Host")
    room = await host.create(max_members=1)
    assert await sit(where, say.Join(room=room), never) == ConnectionEnd(
        False, "Every seat of this room is taken."
    )


async def test_no_server_is_told_without_a_screen(sit: Sit, unused_tcp_port: int) -> None:
    with pytest.raises(UnreachableError, match="There is no server at ws"):
        await sit(f"ws://127.0.0.1:{unused_tcp_port}", say.Create(), never)


async def test_a_server_that_restarts_in_mid_race_costs_nothing(node: StartNode, sit: Sit) -> None:
    """Gone is shown, back is shown; moves that were made meanwhile arrive, and the board is the server's."""
    first = await node()
    port = first.address[1]

    async def story(ada: Sitting) -> None:
        ada.conversation.submit_request(say.Ready())
        ada.conversation.submit_request(say.StartCountdown())
        ada.app.seat.nudge()
        await ada.sees("1 racer")
        for move in solution()[:3]:
            ada.conversation.submit_action(MoveCards(move["from"], move["to"], move["count"]))
        ada.app.seat.nudge()
        await until(lambda: ada.conversation.idle)
        await first.stop()
        await ada.sees("Connection lost, trying again.")
        move = solution()[3]
        await ada.press(str((move["from"] + 1) % 10), str((move["to"] + 1) % 10))
        second = await node(port=port)
        await ada.sees("The connection is back.")
        await until(
            lambda: (
                ada.conversation.idle and ada.conversation.model.game and ada.conversation.model.game.n == 4
            )
        )
        assert ada.conversation.model.phase is Phase.RACING
        assert second.stats.open == 1

    await sit(first, say.Create(settings=Settings(countdown_s=0), code=CODE), story)


async def test_a_newer_server_is_understood_as_far_as_it_goes_and_nonsense_is_told(sit: Sit) -> None:
    """A type of message that we do not know is passed over; what cannot be decoded ends it, on the screen."""
    evening = Evening()

    async def newer(socket: ServerConnection) -> None:
        await socket.recv()
        for message in evening.entered():
            await socket.send(msgspec.json.encode(message).decode())
            if message is evening.entered()[0]:
                await socket.recv()
        await socket.send('{"type":"fireworks","colour":"gold"}')
        await socket.send(msgspec.json.encode(evening.chat()[0]).decode())
        await socket.recv()
        await socket.send("[1, 2")
        await socket.wait_closed()

    async def story(ada: Sitting) -> None:
        await ada.sees("大家準備好了嗎？")
        await ada.press("r")
        await ada.sees("The server sent a message that this client cannot read")

    async with serve(
        newer, "127.0.0.1", 0, subprotocols=[websockets.Subprotocol("simonrace.v1.json")]
    ) as there:
        port = there.sockets[0].getsockname()[1]
        verdict = await sit(f"ws://127.0.0.1:{port}", say.Join(room="KTQMX"), story, json=True)
    assert verdict.sentence.startswith("The server sent a message that this client cannot read")


async def test_who_has_to_wait_before_there_is_a_screen_is_told_for_what(
    node: StartNode, person: Connect, sit: Sit, capsys: pytest.CaptureFixture[str]
) -> None:
    """Others at this address have come in numbers; the program seems to do nothing otherwise."""
    where = await node()
    where.sessions.players_quota = Quota(rate=0.001, burst=1)
    await person(where, "Ben")
    told: list[str] = []

    def is_told() -> bool:
        told.append(capsys.readouterr().err)
        return any(told)

    async def let_in() -> None:
        await until(is_told)
        where.sessions.players_quota = Quota(rate=0.001, burst=1)

    async def story(ada: Sitting) -> None:
        await ada.sees("simonrace join ")
        await ada.press("q", "y")

    letting = asyncio.create_task(let_in())
    assert await sit(where, say.Create(), story) == ConnectionEnd(False, "")
    await letting
    assert "".join(told) == "This address has brought too many newcomers; try again later. Trying again.\n"


async def test_somebody_who_comes_back_has_board_and_seat(node: StartNode, sit: Sit) -> None:
    """The program was closed in mid-race and started again."""
    where = await node()
    left: dict[str, object] = {}

    async def first(ada: Sitting) -> None:
        ada.conversation.submit_request(say.Ready())
        ada.conversation.submit_request(say.StartCountdown())
        ada.app.seat.nudge()
        await ada.sees("1 racer")
        ada.conversation.submit_action(MoveCards(solution()[0]["from"], solution()[0]["to"]))
        ada.app.seat.nudge()
        await until(lambda: ada.conversation.idle)
        assert ada.conversation.model.game is not None
        left.update(
            room=ada.conversation.model.room,
            known=ada.conversation.identity,
            columns=ada.conversation.model.game.columns,
        )

    await sit(where, say.Create(settings=Settings(countdown_s=0), code=CODE), first)
    assert isinstance(left["known"], Identity)

    async def again(ada: Sitting) -> None:
        await ada.sees("moves 1")
        assert ada.conversation.model.game is not None
        assert (ada.conversation.model.game.columns, ada.conversation.model.game.state) == (
            left["columns"],
            RacerState.PLAYING,
        )
        assert table([list(column) for column in ada.conversation.model.game.columns]) == left["columns"]

    await sit(where, say.Join(room=str(left["room"])), again, identity=left["known"])
