"""Full screen with a real server: races, kicks, full rooms, restarts."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec
import pytest
import websockets
from fullscreen import ExampleRace
from racetest import CODE, Connect, StartNode, solution, until, url_of
from textual.pilot import Pilot
from websockets.asyncio.server import ServerConnection, serve

from client_cli.core.addresses import Server
from client_cli.core.commands import MoveCards
from client_cli.core.connection_end import REPLACED, ConnectionEnd
from client_cli.core.conversation import Conversation, Identity
from client_cli.net.connection import Connection, UnreachableError
from client_cli.text.style import Style, plain
from client_cli.tui import start
from client_cli.tui.app import RaceApp
from client_cli.tui.ports import TerminalApp
from protocol import from_client
from protocol.codec import JSON_CODEC, MSGPACK_CODEC
from protocol.parts import Phase, RacerState, Settings
from server.core.token_bucket import Quota
from server.node import Node

SIZE = (80, 24)


class Player:
    """A player at the full screen: the app, driven by a pilot, and what it shows."""

    def __init__(self, app: RaceApp, pilot: Pilot[None]) -> None:
        self.app, self.conversation, self.press = app, app.controller.conversation, pilot.press

    @property
    def text(self) -> str:
        return "\n".join(plain(each) for each in self.app.pane.lines)

    async def wait_for(self, text: str) -> None:
        await until(lambda: text in self.text)


Story = Callable[[Player], Awaitable[None]]
RunClient = Callable[..., Awaitable[ConnectionEnd]]


@pytest.fixture
def run_client(tmp_path: Path) -> RunClient:
    """Run the full screen of Ada through a story; return why the conversation ended."""

    async def run_story(
        where: Node | str, goal: from_client.Create | from_client.Join, story: Story, **options: object
    ) -> ConnectionEnd:
        async def run(app: TerminalApp) -> None:
            assert isinstance(app, RaceApp)
            async with app.run_test(size=SIZE) as pilot:
                await story(Player(app, pilot))

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

    return run_story


async def no_screen(_: Player) -> None:
    raise AssertionError("a screen was opened")


@pytest.mark.parametrize("json", [False, True])
async def test_a_whole_race_from_the_lobby_to_the_next_one(
    node: StartNode, person: Connect, run_client: RunClient, json: bool
) -> None:
    """Ada at the full screen and Ben at another client race on one deal; then Ada gets ready again."""
    where = await node()
    ben = await person(where, "Ben")

    async def story(ada: Player) -> None:
        await ben.join(ada.conversation.model.room)
        await ben.ready()
        await ada.wait_for("✓ Ben")
        await ada.press("r")
        await ada.wait_for("✓ Ada")
        await ada.press("s")
        await ada.wait_for("2 racers")
        await ben.racing()
        first = solution()[0]
        await ada.press(str((first["from"] + 1) % 10), str((first["to"] + 1) % 10))
        await until(lambda: ada.conversation.idle)
        for move in solution()[1:]:
            ada.conversation.submit_action(MoveCards(move["from"], move["to"], move["cards"]))
        ada.app.controller.flush()
        await ada.wait_for("You have won!")
        await ben.win()
        await ada.wait_for("Cards in order, over time")
        assert [each.name for each in ada.conversation.model.results] == ["Ada", "Ben"]
        await ada.press("w", "end")
        await ada.wait_for(f"action {len(solution())} of {len(solution())}")
        await ada.press("escape", "l")
        await ada.wait_for(f"Leaderboards of {CODE}")
        await ada.press("escape", "n")
        await ben.expect("ready_changed", player=ada.conversation.model.me, ready=True)
        await ada.press("q", "y")
        await until(lambda: ada.conversation.ended is not None)

    assert await run_client(
        where, from_client.Create(settings=Settings(countdown_s=0), code=CODE), story, json=json
    ) == ConnectionEnd(False, "")
    await ben.expect("member_left")


async def test_a_refused_move_shows_its_rule_and_leaves_the_board(
    node: StartNode, run_client: RunClient
) -> None:
    async def story(ada: Player) -> None:
        ada.conversation.submit_request(from_client.Ready())
        ada.conversation.submit_request(from_client.StartCountdown())
        ada.app.controller.flush()
        await ada.wait_for("1 racer")
        assert ada.conversation.model.race is not None
        await ada.press("1", "up", "0")
        await ada.wait_for("A card goes on a card one rank higher.")
        assert ada.conversation.model.game is not None
        assert ada.conversation.model.game.columns == ada.conversation.model.race.deal

    await run_client(await node(), from_client.Create(settings=Settings(countdown_s=0), code=CODE), story)


async def test_a_kicked_player_reads_so_on_the_screen(
    node: StartNode, person: Connect, run_client: RunClient
) -> None:
    where = await node()
    host = await person(where, "Host")
    room = await host.create()

    async def story(ada: Player) -> None:
        await host.do("kick", player=ada.conversation.model.me)
        await ada.wait_for("The host removed you from this room.")
        await ada.press("q")

    verdict = await run_client(where, from_client.Join(room=room), story)
    assert verdict == ConnectionEnd(False, "The host removed you from this room.")


async def test_a_newer_connection_ends_this_one_with_a_reason(
    node: StartNode, person: Connect, run_client: RunClient
) -> None:
    where = await node()
    host = await person(where, "Host")
    room = await host.create()

    async def story(ada: Player) -> None:
        known = ada.conversation.identity
        assert known is not None
        twin = host.new_connection()
        twin.player, twin.token = known.player, known.token
        await (await twin.open()).hello()
        await twin.join(room)
        await ada.wait_for("The newest connection wins.")
        await ada.wait_for("use --name.")

    assert await run_client(where, from_client.Join(room=room), story) == ConnectionEnd(False, REPLACED)


async def test_a_full_room_is_reported_without_a_screen(
    node: StartNode, person: Connect, run_client: RunClient
) -> None:
    where = await node()
    host = await person(where, "Host")
    room = await host.create(max_members=1)
    assert await run_client(where, from_client.Join(room=room), no_screen) == ConnectionEnd(
        False, "The room is full."
    )


async def test_a_missing_server_is_reported_without_a_screen(
    run_client: RunClient, unused_tcp_port: int
) -> None:
    with pytest.raises(UnreachableError, match="There is no server at ws"):
        await run_client(f"ws://127.0.0.1:{unused_tcp_port}", from_client.Create(), no_screen)


async def test_a_race_goes_on_after_a_restart_of_the_server(node: StartNode, run_client: RunClient) -> None:
    """The loss and the return are shown; a move made in between arrives."""
    first = await node()
    port = first.address[1]

    async def story(ada: Player) -> None:
        ada.conversation.submit_request(from_client.Ready())
        ada.conversation.submit_request(from_client.StartCountdown())
        ada.app.controller.flush()
        await ada.wait_for("1 racer")
        for move in solution()[:3]:
            ada.conversation.submit_action(MoveCards(move["from"], move["to"], move["cards"]))
        ada.app.controller.flush()
        await until(lambda: ada.conversation.idle)
        await first.stop()
        await ada.wait_for("Connection lost, trying again.")
        move = solution()[3]
        await ada.press(str((move["from"] + 1) % 10), str((move["to"] + 1) % 10))
        second = await node(port=port)
        await ada.wait_for("The connection is back.")
        await until(
            lambda: (
                ada.conversation.idle and ada.conversation.model.game and ada.conversation.model.game.n == 4
            )
        )
        assert ada.conversation.model.phase is Phase.RACING
        assert second.stats.open == 1

    await run_client(first, from_client.Create(settings=Settings(countdown_s=0), code=CODE), story)


async def test_unknown_messages_are_ignored_and_undecodable_ones_end_the_conversation(
    run_client: RunClient,
) -> None:
    """A newer server may send types that this client does not know. The reason for the end is shown."""
    race = ExampleRace()

    async def newer(socket: ServerConnection) -> None:
        await socket.recv()
        for message in race.joined():
            await socket.send(msgspec.json.encode(message).decode())
            if message is race.joined()[0]:
                await socket.recv()
        await socket.send('{"type":"fireworks","colour":"gold"}')
        await socket.send(msgspec.json.encode(race.chat()[0]).decode())
        await socket.recv()
        await socket.send("[1, 2")
        await socket.wait_closed()

    async def story(ada: Player) -> None:
        await ada.wait_for("大家準備好了嗎？")
        await ada.press("r")
        await ada.wait_for("The server sent a message that this client cannot read")

    async with serve(
        newer, "127.0.0.1", 0, subprotocols=[websockets.Subprotocol("simonrace.v1.json")]
    ) as there:
        port = there.sockets[0].getsockname()[1]
        verdict = await run_client(f"ws://127.0.0.1:{port}", from_client.Join(room="KTQMX"), story, json=True)
    assert verdict.sentence.startswith("The server sent a message that this client cannot read")


async def test_the_reason_to_wait_is_printed_before_there_is_a_screen(
    node: StartNode, person: Connect, run_client: RunClient, capsys: pytest.CaptureFixture[str]
) -> None:
    """The address has used up its quota of new players; without a line the program would seem to hang."""
    where = await node()
    where.sessions.players_quota = Quota(rate=0.001, burst=1)
    await person(where, "Ben")
    printed: list[str] = []

    def has_printed() -> bool:
        printed.append(capsys.readouterr().err)
        return any(printed)

    async def raise_quota() -> None:
        await until(has_printed)
        where.sessions.players_quota = Quota(rate=0.001, burst=1)

    async def story(ada: Player) -> None:
        await ada.wait_for("simonrace join ")
        await ada.press("q", "y")

    raising = asyncio.create_task(raise_quota())
    assert await run_client(where, from_client.Create(), story) == ConnectionEnd(False, "")
    await raising
    assert (
        "".join(printed)
        == "Too many new players were registered from this address. Try again later. Trying again.\n"
    )


async def test_a_returning_player_has_the_same_board_and_seat(node: StartNode, run_client: RunClient) -> None:
    """The program was closed during a race and started again."""
    where = await node()
    left: dict[str, object] = {}

    async def first(ada: Player) -> None:
        ada.conversation.submit_request(from_client.Ready())
        ada.conversation.submit_request(from_client.StartCountdown())
        ada.app.controller.flush()
        await ada.wait_for("1 racer")
        ada.conversation.submit_action(MoveCards(solution()[0]["from"], solution()[0]["to"]))
        ada.app.controller.flush()
        await until(lambda: ada.conversation.idle)
        assert ada.conversation.model.game is not None
        left.update(
            room=ada.conversation.model.room,
            known=ada.conversation.identity,
            columns=ada.conversation.model.game.columns,
        )

    await run_client(where, from_client.Create(settings=Settings(countdown_s=0), code=CODE), first)
    assert isinstance(left["known"], Identity)

    async def again(ada: Player) -> None:
        await ada.wait_for("moves 1")
        assert ada.conversation.model.game is not None
        assert (ada.conversation.model.game.columns, ada.conversation.model.game.state) == (
            left["columns"],
            RacerState.PLAYING,
        )

    await run_client(where, from_client.Join(room=str(left["room"])), again, identity=left["known"])
