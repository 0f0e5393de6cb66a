from server.store import keys


def test_the_spelling_of_every_key() -> None:
    assert [
        keys.room_log("ABCDE"),
        keys.game_log("ABCDE", 3, "p1"),
        keys.player_log("p1"),
        keys.leaderboard("SS1-S1-AAAAABD", "time"),
        keys.rooms_schedule(),
        keys.projections_schedule(),
        keys.nodes_schedule(),
        keys.node("n1"),
        keys.inbox("n1"),
        keys.data_format(),
    ] == [
        "{room:ABCDE}:log",
        "{room:ABCDE}:race:3:p1",
        "player:p1",
        "{board:SS1-S1-AAAAABD:time}",
        "schedule:rooms",
        "schedule:projections",
        "schedule:nodes",
        "node:n1",
        "inbox:n1",
        "format",
    ]


def test_a_deployment_s_data_is_recognized_by_its_keys() -> None:
    """The format's own number is no data, and neither are the keys of other programs."""
    ours = [
        keys.room_log("ABCDE"),
        keys.game_log("ABCDE", 3, "p1"),
        keys.player_log("p1"),
        keys.leaderboard("SS1-S1-AAAAABD", "time"),
        keys.rooms_schedule(),
        keys.projections_schedule(),
        keys.nodes_schedule(),
        keys.node("n1"),
        "agenda:rooms",  # of format 1
    ]
    assert [key for key in ours if not keys.is_ours(key)] == []
    assert [key for key in (keys.data_format(), "", "session:1", "room:1") if keys.is_ours(key)] == []


def test_the_logs_of_one_room_share_a_hash_tag() -> None:
    """A cluster keeps keys with the same text in braces in one slot."""
    tags = {
        key[key.index("{") : key.index("}") + 1] for key in (keys.room_log("X"), keys.game_log("X", 1, "p"))
    }
    assert tags == {"{room:X}"}
