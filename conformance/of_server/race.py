"""A chapter about a whole race: countdown, sealed deal, numbers, rules, standings, results, record."""

from collections.abc import Sequence
from operator import itemgetter
from typing import Any, Final

import msgspec

from conformance.chapter import Step
from conformance.errors import UnmetError
from conformance.of_server.racer import Racer, fields
from conformance.of_server.visitor import Message, Stage, Visitor, require, same
from engine import GameCode, InvalidGameCode, deal
from engine.ranking import rank
from protocol.errors import ErrorCode
from protocol.record import FORMAT
from protocol.version import MSGPACK

COUNTDOWN_MS: Final = 1000


class Racing:
    """Ann (JSON) and Bo (MessagePack) race; Cy is not ready and watches, Dan and Eve come late."""

    ann: Visitor
    bo: Visitor
    cy: Visitor
    dan: Visitor
    a: Racer
    b: Racer
    over: Message

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.room = self.code = ""
        self.ends: dict[str, Message] = {}

    def steps(self) -> Sequence[Step]:
        """Return what to check."""
        life, numbers, play = (
            "Life of a room",
            "Ordering, acknowledgement, repetition",
            "Messages, answers and numbers",
        )
        return (
            Step("the countdown is told to everybody, and no second one starts", life, self._countdown, True),
            Step("the host stops the countdown, and who was ready still is", life, self._cancel),
            Step("who comes during the countdown sees how long it takes", life, self._comes_early, True),
            Step("everybody gets the same deal, and that of the code", "The shuffle", self._start, True),
            Step("nobody is told of the deal before the start", life, self._sealed),
            Step("who does not race cannot act", "Refusals", self._watchers),
            Step("who comes during the race sees it and has no game", life, self._comes_late),
            Step("a number beyond the next is refused, and tells which is next", numbers, self._gap),
            Step(
                "each rule of the game refuses with its code, and the number is free again",
                "Refusals",
                self._rules,
            ),
            Step("a move is accepted with all its numbers", play, self._move, True),
            Step(
                "the same number again gets the same answer, and nothing is done twice", numbers, self._repeat
            ),
            Step("a number that is used up takes no other action", numbers, self._reuse),
            Step("of several actions at once those behind a refused one are refused", numbers, self._several),
            Step("`auto_move`, `undo` and `restart` do what the rules say", play, self._other_actions),
            Step("`get_game` has the board after all of it", play, self._get_game),
            Step("racers do not see other boards", "Security", self._hidden),
            Step("a forfeit is told to everybody, ends the game, and can be taken back", life, self._forfeit),
            Step("standings follow the moves", "Ranking and ties", self._standings),
            Step("a win is told to everybody and ends the game", life, self._win, True),
            Step(
                "the race ends with the last racer, with the results that the answers had",
                life,
                self._over,
                True,
            ),
            Step(
                "the leaderboards change and tell those who follow them",
                "Ranking and ties",
                self._leaderboard,
            ),
            Step("the record replays to its results", "Checking a race offline", self._record),
            Step("boards are shown after the race", play, self._shown),
            Step("the first `ready` reopens the lobby", life, self._next),
        )

    @property
    def everybody(self) -> tuple[Visitor, ...]:
        """All who were there before the race."""
        return (self.ann, self.bo, self.cy)

    async def _told(self, type_: str, **wanted: Any) -> list[Message]:
        return [require(await each.hear(type_), f"`{type_}`", **wanted) for each in self.everybody]

    async def _countdown(self) -> None:
        self.ann = await Visitor.greeted(self.stage, "Ann")
        self.bo = await Visitor.greeted(self.stage, "Bo", MSGPACK)
        self.cy = await Visitor.greeted(self.stage, "Cy")
        self.room = (await self.ann.ask("create", "room", settings={"countdown_s": 3}))["room"]
        for each in (self.bo, self.cy):
            await each.ask("join", "room", room=self.room)
        await self.ann.ask("ready")
        await self.bo.ask("ready")
        await self.ann.ask("start_countdown")
        for told in await self._told("countdown_started", race=1):
            if not 0 < told["starts_in_ms"] <= 3000:
                raise UnmetError("at most 3000 ms to the start", str(told["starts_in_ms"]))
        await self.ann.fails(ErrorCode.COUNTDOWN_RUNNING, "start_countdown")
        await self.ann.fails(ErrorCode.COUNTDOWN_RUNNING, "configure", settings={})

    async def _cancel(self) -> None:
        await self.ann.ask("cancel_countdown")
        await self._told("countdown_cancelled", reason="by_host")
        await self.ann.ask("configure", settings={"countdown_s": COUNTDOWN_MS // 1000})
        await self.ann.ask("start_countdown")
        await self._told("countdown_started", race=1)

    async def _comes_early(self) -> None:
        self.dan = await Visitor.greeted(self.stage, "Dan")
        room = await self.dan.ask("join", "room", room=self.room)
        require(room, "a room in its countdown", phase="countdown", current_race=None)
        if not 0 <= room.get("starts_in_ms", -1) <= COUNTDOWN_MS:
            raise UnmetError(f"`starts_in_ms` of at most {COUNTDOWN_MS}", str(room))
        same([each["ready"] for each in room["members"]], [True, True, False, False], "who is ready")

    async def _start(self) -> None:
        starts = [await each.hear("race_started") for each in (*self.everybody, self.dan)]
        told = [{**start, "elapsed_ms": 0, "clock_ms": 0} for start in starts]
        for each in told[1:]:
            same(each, told[0], "the start as others are told")
        start = starts[0]
        require(start, "race 1 of Ann and Bo", race=1, racers=[self.ann.player, self.bo.player])
        try:
            columns = deal(GameCode.parse(start["code"])).columns_text()
        except InvalidGameCode as fault:
            raise UnmetError("a game code", str(fault)) from None
        same(start["columns"], columns, f"the deal of {start['code']}")
        self.code = start["code"]
        self.a, self.b = Racer(self.ann, self.code), Racer(self.bo, self.code)

    async def _sealed(self) -> None:
        for each in (*self.everybody, self.dan):
            for message in each.told:
                if message["type"] == "race_started":
                    break
                if "columns" in message or self.code in str(message):
                    raise UnmetError("no word of the deal before the start", str(message))

    async def _watchers(self) -> None:
        refused = await self.cy.act(1, 1, "auto_move", **{"from": 0})
        require(refused, "`not_racing`", type="refused", code="not_racing", expected=0)
        await self.cy.fails(ErrorCode.NO_GAME, "get_game")
        for each in (self.cy, self.ann):
            await each.fails(ErrorCode.RACE_RUNNING, "ready")
        await self.ann.fails(ErrorCode.RACE_RUNNING, "start_countdown")
        await self.ann.fails(ErrorCode.RACE_RUNNING, "configure", settings={})

    async def _comes_late(self) -> None:
        eve = await Visitor.greeted(self.stage, "Eve")
        room = await eve.ask("join", "room", room=self.room)
        require(room, "a room in a race, without a game", phase="racing", game=None)
        wanted = {"race": 1, "code": self.code, "racers": [self.ann.player, self.bo.player]}
        same({name: room["current_race"][name] for name in wanted}, wanted, "the race")
        same(room["current_race"]["columns"], self.a.columns, "the deal")
        await eve.ask("leave")

    async def _gap(self) -> None:
        refused = await self.ann.act(1, 2, "auto_move", **{"from": 0})
        require(refused, "`wrong_number`", type="refused", code="wrong_number", n=2, expected=1)

    async def _rules(self) -> None:
        for move in self.a.refused_moves():
            await self.a.does("move", **fields(move))
        await self.a.does("undo")

    async def _move(self) -> None:
        await self.b.does("auto_move", **{"from": 0, "cards": 1})
        self.first = await self.a.does("move", **self.a.legal())

    async def _repeat(self) -> None:
        move = {name: self.first[name] for name in ("from", "to", "cards")}
        same(await self.ann.act(1, 1, "move", **move), self.first, "the answer to the same action")
        same((await self.ann.ask("get_game", "game"))["game"], self.a.view(), "the game")

    async def _reuse(self) -> None:
        refused = await self.ann.act(1, 1, "undo")
        require(refused, "`number_taken`", type="refused", code="number_taken", n=1, expected=2)

    async def _several(self) -> None:
        legal = self.a.legal()
        wanted = self.a.decide("move", **legal)
        await self.ann.send({"type": "move", "race": 1, "n": 2, **legal})
        await self.ann.send({"type": "move", "race": 1, "n": 3, "from": 0, "to": 0, "cards": 1})
        await self.ann.send({"type": "undo", "race": 1, "n": 4})
        self.a.compare(await self.ann.answer(1, 2), wanted)
        refused = {"type": "refused", "expected": 3}
        require(await self.ann.answer(1, 3), "`same_column`", code="same_column", **refused)
        require(await self.ann.answer(1, 4), "`wrong_number`", code="wrong_number", **refused)

    async def _other_actions(self) -> None:
        await self.a.does("undo")
        for column in range(10):
            await self.a.does("auto_move", **{"from": column})
        await self.a.does("restart")
        await self.a.does("undo")

    async def _get_game(self) -> None:
        for racer in (self.a, self.b):
            game = await racer.visitor.ask("get_game", "game")
            require(game, "the game of race 1", race=1, game=racer.view())

    async def _hidden(self) -> None:
        await self.ann.fails(ErrorCode.BOARDS_HIDDEN, "get_board", player=self.bo.player)
        await self.cy.fails(ErrorCode.BOARDS_HIDDEN, "get_board", player=self.bo.player)
        await self.ann.fails(ErrorCode.NO_RECORD, "get_record", race=1)

    async def _forfeit(self) -> None:
        n = self.b.n
        forfeit = await self.bo.act(1, n + 1, "forfeit")
        refused = await self.bo.act(1, n + 2, "auto_move", **{"from": 0})
        undo = await self.bo.act(1, n + 2, "undo")
        self.b.n = n + 2
        require(forfeit, "the forfeit", type="accepted", n=n + 1, state="forfeited")
        require(refused, "`forfeited`", type="refused", code="forfeited", expected=n + 2)
        require(undo, "the game going on", type="accepted", n=n + 2, state=None)
        await self._told("racer_forfeited", player=self.bo.player)
        await self._told("racer_forfeit_undone", player=self.bo.player)

    async def _standings(self) -> None:
        racers = (self.a, self.b)
        for moves, racer in enumerate(racers, 1):
            await racer.does("restart")
            for _ in range(moves):
                await racer.does("move", **racer.legal())
        ranks = rank([racer.placing() for racer in racers], "time")
        wanted = [
            racer.row(place) for place, racer in sorted(zip(ranks, racers, strict=True), key=itemgetter(0))
        ]
        while True:
            rows = (await self.cy.hear("standings", race=1))["rows"]
            if [{name: row[name] for name in wanted[0]} for row in rows] == wanted:
                return

    async def _win(self) -> None:
        await self.cy.ask("subscribe_leaderboard", "leaderboard", code=self.code)
        answer = self.ends[self.ann.player] = await self.a.wins()
        wanted = {"player": self.ann.player, "at_ms": answer["at_ms"], "score": answer["score"]}
        await self._told("racer_won", **wanted, moves=answer["moves"])
        refused = await self.ann.act(1, self.a.n + 1, "undo")
        require(refused, "`game_over`", type="refused", code="game_over")

    async def _over(self) -> None:
        self.ends[self.bo.player] = await self.b.wins()
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
        self.over = (await self._told("race_ended", race=1, code=self.code, results=wanted))[0]

    async def _leaderboard(self) -> None:
        best = {"player": self.ann.player, "name": "Ann", "race_id": f"{self.room}/1"}
        end = self.ends[self.ann.player]
        for kind, value in (("time", end["at_ms"]), ("score", end["score"]), ("moves", end["moves"])):
            while True:
                told = self.cy.latest("leaderboard")["leaderboards"]
                rows = [row for board in told if board["kind"] == kind for row in board["rows"]]
                mine = [row for row in rows if row["player"] == self.ann.player]
                if mine:
                    require(mine[0], f"Ann's row of the leaderboard `{kind}`", value=value, **best)
                    break
                await self.cy.hear("leaderboard", ref=None)

    async def _record(self) -> None:
        record = (await self.cy.ask("get_record", "record", race=1))["record"]
        wanted = {"format": FORMAT, "room": self.room, "race": 1, "code": self.code, "ranking": "time"}
        require(record, "the record of race 1", **wanted, results=self.over["results"])
        same([len(each["actions"]) for each in record["racers"]], [self.a.n, self.b.n], "how many actions")
        same(self.stage.verify(msgspec.json.encode(record)), [], "what is wrong in the record")

    async def _shown(self) -> None:
        board = await self.cy.ask("get_board", "board", player=self.bo.player)
        require(board, "Bo's board", race=1, player=self.bo.player)
        same(board["game"], {**self.b.view(), "state": "won"}, "Bo's game")

    async def _next(self) -> None:
        await self.cy.ask("ready")
        await self._told("lobby_opened")
        await self._told("ready_changed", player=self.cy.player, ready=True)
