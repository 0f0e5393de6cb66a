"""Checks of a whole race: countdown, sealed deal, numbers, rules, standings, results, record."""

from collections.abc import Sequence
from operator import itemgetter
from typing import Any, Final

import msgspec

from conformance.checks import Check
from conformance.errors import CheckFailedError
from conformance.of_server.racer import Racer, fields
from conformance.of_server.scripted_client import (
    Message,
    ScriptedClient,
    ServerUnderTest,
    require,
    require_equal,
)
from engine import GameCode, InvalidGameCode, deal
from engine.ranking import rank
from protocol.errors import ErrorCode
from protocol.record import FORMAT
from protocol.version import MSGPACK

COUNTDOWN_MS: Final = 1000


class Race:
    """Ann (JSON) and Bo (MessagePack) race. Cy is not ready and watches; Dan and Eve enter late."""

    ann: ScriptedClient
    bo: ScriptedClient
    cy: ScriptedClient
    dan: ScriptedClient
    a: Racer
    b: Racer
    over: Message

    def __init__(self, server: ServerUnderTest) -> None:
        self.server = server
        self.room = self.code = ""
        self.ends: dict[str, Message] = {}

    def checks(self) -> Sequence[Check]:
        """Return the checks in order."""
        life, numbers, play = (
            "Life of a room",
            "Ordering, acknowledgement, repetition",
            "Messages, answers and numbers",
        )
        return (
            Check(
                "every member receives the countdown, and no second one starts", life, self._countdown, True
            ),
            Check("the host cancels the countdown, and members stay ready", life, self._cancel),
            Check(
                "a member who enters during the countdown gets its remaining time",
                life,
                self._comes_early,
                True,
            ),
            Check(
                "every member gets the same deal, the one of the game code", "The shuffle", self._start, True
            ),
            Check("no message has the deal before the start", life, self._sealed),
            Check("a member without a game cannot act", "Refusals", self._watchers),
            Check("a member who enters during the race gets it, without a game", life, self._comes_late),
            Check("a number that is too high is refused, with the expected number", numbers, self._gap),
            Check(
                "each rule of the game refuses with its code, and the number stays free",
                "Refusals",
                self._rules,
            ),
            Check("an accepted move has all its fields", play, self._move, True),
            Check("a repeated action gets the same answer and is carried out once", numbers, self._repeat),
            Check("a used number is refused for another action", numbers, self._reuse),
            Check("actions sent together after a refused one are refused", numbers, self._several),
            Check("`auto_move`, `undo` and `restart` do what the rules say", play, self._other_actions),
            Check("`get_game` returns the present board", play, self._get_game),
            Check("racers cannot get other boards", "Security", self._hidden),
            Check("every member receives a forfeit; it ends the game and can be undone", life, self._forfeit),
            Check("standings follow the moves", "Ranking and ties", self._standings),
            Check("every member receives a win, and it ends the game", life, self._win, True),
            Check(
                "the race ends with its last racer, with the results of the answers",
                life,
                self._over,
                True,
            ),
            Check(
                "subscribers receive the changed leaderboards",
                "Ranking and ties",
                self._leaderboard,
            ),
            Check("the record replays to its results", "Checking a race offline", self._record),
            Check("boards can be read after the race", play, self._shown),
            Check("the first `ready` reopens the lobby", life, self._next),
        )

    @property
    def everybody(self) -> tuple[ScriptedClient, ...]:
        """The members from before the race."""
        return (self.ann, self.bo, self.cy)

    async def _expect_all(self, type_: str, **wanted: Any) -> list[Message]:
        return [require(await each.expect(type_), f"`{type_}`", **wanted) for each in self.everybody]

    async def _countdown(self) -> None:
        self.ann = await ScriptedClient.identified(self.server, "Ann")
        self.bo = await ScriptedClient.identified(self.server, "Bo", MSGPACK)
        self.cy = await ScriptedClient.identified(self.server, "Cy")
        self.room = (await self.ann.request("create", "room", settings={"countdown_s": 3}))["room"]
        for each in (self.bo, self.cy):
            await each.request("join", "room", room=self.room)
        await self.ann.request("ready")
        await self.bo.request("ready")
        await self.ann.request("start_countdown")
        for received in await self._expect_all("countdown_started", race=1):
            if not 0 < received["starts_in_ms"] <= 3000:
                raise CheckFailedError("at most 3000 ms to the start", str(received["starts_in_ms"]))
        await self.ann.expect_error(ErrorCode.COUNTDOWN_RUNNING, "start_countdown")
        await self.ann.expect_error(ErrorCode.COUNTDOWN_RUNNING, "configure", settings={})

    async def _cancel(self) -> None:
        await self.ann.request("cancel_countdown")
        await self._expect_all("countdown_cancelled", reason="by_host")
        await self.ann.request("configure", settings={"countdown_s": COUNTDOWN_MS // 1000})
        await self.ann.request("start_countdown")
        await self._expect_all("countdown_started", race=1)

    async def _comes_early(self) -> None:
        self.dan = await ScriptedClient.identified(self.server, "Dan")
        room = await self.dan.request("join", "room", room=self.room)
        require(room, "a room in its countdown", phase="countdown", current_race=None)
        if not 0 <= room.get("starts_in_ms", -1) <= COUNTDOWN_MS:
            raise CheckFailedError(f"`starts_in_ms` of at most {COUNTDOWN_MS}", str(room))
        require_equal([each["ready"] for each in room["members"]], [True, True, False, False], "who is ready")

    async def _start(self) -> None:
        starts = [await each.expect("race_started") for each in (*self.everybody, self.dan)]
        received = [{**start, "elapsed_ms": 0, "clock_ms": 0} for start in starts]
        for each in received[1:]:
            require_equal(each, received[0], "the start as other members receive it")
        start = starts[0]
        require(start, "race 1 of Ann and Bo", race=1, racers=[self.ann.player, self.bo.player])
        try:
            columns = deal(GameCode.parse(start["code"])).columns_text()
        except InvalidGameCode as fault:
            raise CheckFailedError("a game code", str(fault)) from None
        require_equal(start["columns"], columns, f"the deal of {start['code']}")
        self.code = start["code"]
        self.a, self.b = Racer(self.ann, self.code), Racer(self.bo, self.code)

    async def _sealed(self) -> None:
        for each in (*self.everybody, self.dan):
            for message in each.received:
                if message["type"] == "race_started":
                    break
                if "columns" in message or self.code in str(message):
                    raise CheckFailedError("no word of the deal before the start", str(message))

    async def _watchers(self) -> None:
        refused = await self.cy.act(1, 1, "auto_move", **{"from": 0})
        require(refused, "`not_racing`", type="refused", code="not_racing", expected=0)
        await self.cy.expect_error(ErrorCode.NO_GAME, "get_game")
        for each in (self.cy, self.ann):
            await each.expect_error(ErrorCode.RACE_RUNNING, "ready")
        await self.ann.expect_error(ErrorCode.RACE_RUNNING, "start_countdown")
        await self.ann.expect_error(ErrorCode.RACE_RUNNING, "configure", settings={})

    async def _comes_late(self) -> None:
        eve = await ScriptedClient.identified(self.server, "Eve")
        room = await eve.request("join", "room", room=self.room)
        require(room, "a room in a race, without a game", phase="racing", game=None)
        wanted = {"race": 1, "code": self.code, "racers": [self.ann.player, self.bo.player]}
        require_equal({name: room["current_race"][name] for name in wanted}, wanted, "the race")
        require_equal(room["current_race"]["columns"], self.a.columns, "the deal")
        await eve.request("leave")

    async def _gap(self) -> None:
        refused = await self.ann.act(1, 2, "auto_move", **{"from": 0})
        require(refused, "`wrong_number`", type="refused", code="wrong_number", n=2, expected=1)

    async def _rules(self) -> None:
        for move in self.a.refused_moves():
            await self.a.act("move", **fields(move))
        await self.a.act("undo")

    async def _move(self) -> None:
        await self.b.act("auto_move", **{"from": 0, "cards": 1})
        self.first = await self.a.act("move", **self.a.legal_move())

    async def _repeat(self) -> None:
        move = {name: self.first[name] for name in ("from", "to", "cards")}
        require_equal(await self.ann.act(1, 1, "move", **move), self.first, "the answer to the same action")
        require_equal((await self.ann.request("get_game", "game"))["game"], self.a.view(), "the game")

    async def _reuse(self) -> None:
        refused = await self.ann.act(1, 1, "undo")
        require(refused, "`number_taken`", type="refused", code="number_taken", n=1, expected=2)

    async def _several(self) -> None:
        legal_move = self.a.legal_move()
        wanted = self.a.decide("move", **legal_move)
        await self.ann.send({"type": "move", "race": 1, "n": 2, **legal_move})
        await self.ann.send({"type": "move", "race": 1, "n": 3, "from": 0, "to": 0, "cards": 1})
        await self.ann.send({"type": "undo", "race": 1, "n": 4})
        self.a.compare(await self.ann.answer(1, 2), wanted)
        refused = {"type": "refused", "expected": 3}
        require(await self.ann.answer(1, 3), "`same_column`", code="same_column", **refused)
        require(await self.ann.answer(1, 4), "`wrong_number`", code="wrong_number", **refused)

    async def _other_actions(self) -> None:
        await self.a.act("undo")
        for column in range(10):
            await self.a.act("auto_move", **{"from": column})
        await self.a.act("restart")
        await self.a.act("undo")

    async def _get_game(self) -> None:
        for racer in (self.a, self.b):
            game = await racer.client.request("get_game", "game")
            require(game, "the game of race 1", race=1, game=racer.view())

    async def _hidden(self) -> None:
        await self.ann.expect_error(ErrorCode.BOARDS_HIDDEN, "get_board", player=self.bo.player)
        await self.cy.expect_error(ErrorCode.BOARDS_HIDDEN, "get_board", player=self.bo.player)
        await self.ann.expect_error(ErrorCode.NO_RECORD, "get_record", race=1)

    async def _forfeit(self) -> None:
        n = self.b.n
        forfeit = await self.bo.act(1, n + 1, "forfeit")
        refused = await self.bo.act(1, n + 2, "auto_move", **{"from": 0})
        undo = await self.bo.act(1, n + 2, "undo")
        self.b.n = n + 2
        require(forfeit, "the forfeit", type="accepted", n=n + 1, state="forfeited")
        require(refused, "`forfeited`", type="refused", code="forfeited", expected=n + 2)
        require(undo, "the game going on", type="accepted", n=n + 2, state=None)
        await self._expect_all("racer_forfeited", player=self.bo.player)
        await self._expect_all("racer_forfeit_undone", player=self.bo.player)

    async def _standings(self) -> None:
        racers = (self.a, self.b)
        for moves, racer in enumerate(racers, 1):
            await racer.act("restart")
            for _ in range(moves):
                await racer.act("move", **racer.legal_move())
        ranks = rank([racer.placing() for racer in racers], "time")
        wanted = [
            racer.row(place) for place, racer in sorted(zip(ranks, racers, strict=True), key=itemgetter(0))
        ]
        while True:
            rows = (await self.cy.expect("standings", race=1))["rows"]
            if [{name: row[name] for name in wanted[0]} for row in rows] == wanted:
                return

    async def _win(self) -> None:
        await self.cy.request("subscribe_leaderboard", "leaderboard", code=self.code)
        answer = self.ends[self.ann.player] = await self.a.play_to_win()
        wanted = {"player": self.ann.player, "at_ms": answer["at_ms"], "score": answer["score"]}
        await self._expect_all("racer_won", **wanted, moves=answer["moves"])
        refused = await self.ann.act(1, self.a.n + 1, "undo")
        require(refused, "`game_over`", type="refused", code="game_over")

    async def _over(self) -> None:
        self.ends[self.bo.player] = await self.b.play_to_win()
        wanted = []
        for place, (who, name) in enumerate(((self.ann, "Ann"), (self.bo, "Bo")), 1):
            end = self.ends[who.player]
            numbers = {each: end[each] for each in ("score", "moves", "runs")}
            wanted.append(
                {
                    "player": who.player,
                    "name": name,
                    "rank": place,
                    "state": "won",
                    **numbers,
                    "reached_ms": end["at_ms"],
                }
            )
        self.over = (await self._expect_all("race_ended", race=1, code=self.code, results=wanted))[0]

    async def _leaderboard(self) -> None:
        best = {"player": self.ann.player, "name": "Ann", "race_id": f"{self.room}/1"}
        end = self.ends[self.ann.player]
        for kind, value in (("time", end["at_ms"]), ("score", end["score"]), ("moves", end["moves"])):
            while True:
                received = self.cy.latest("leaderboard")["leaderboards"]
                rows = [row for board in received if board["kind"] == kind for row in board["rows"]]
                mine = [row for row in rows if row["player"] == self.ann.player]
                if mine:
                    require(mine[0], f"Ann's row of the leaderboard `{kind}`", value=value, **best)
                    break
                await self.cy.expect("leaderboard", ref=None)

    async def _record(self) -> None:
        record = (await self.cy.request("get_record", "record", race=1))["record"]
        wanted = {"format": FORMAT, "room": self.room, "race": 1, "code": self.code, "ranking": "time"}
        require(record, "the record of race 1", **wanted, results=self.over["results"])
        require_equal(
            [len(each["actions"]) for each in record["racers"]], [self.a.n, self.b.n], "how many actions"
        )
        require_equal(self.server.verify(msgspec.json.encode(record)), [], "what is wrong in the record")

    async def _shown(self) -> None:
        board = await self.cy.request("get_board", "board", player=self.bo.player)
        require(board, "Bo's board", race=1, player=self.bo.player)
        require_equal(board["game"], {**self.b.view(), "state": "won"}, "Bo's game")

    async def _next(self) -> None:
        await self.cy.request("ready")
        await self._expect_all("lobby_opened")
        await self._expect_all("ready_changed", player=self.cy.player, ready=True)
