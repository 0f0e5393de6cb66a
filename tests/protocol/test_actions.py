"""Actions: numbered, tied to a race, answered by `accepted` or `refused`."""

from typing import get_args

from protocol.actions import Action, AnyAction
from protocol.codec import JSON_CODEC
from protocol.from_client import FromClient, Move
from protocol.race_messages import Accepted, Refused


def test_the_actions_are_those_with_a_number_and_a_race() -> None:
    assert {cls for cls in get_args(FromClient) if issubclass(cls, Action)} == set(get_args(AnyAction))
    for cls in get_args(AnyAction):
        assert {"race", "n"} <= set(cls.__struct_fields__)
        assert cls.answers == (Accepted, Refused)


def test_columns_are_from_and_to_on_the_wire() -> None:
    """Python's `from` is a keyword; the wire does not have to suffer for it."""
    move = JSON_CODEC.from_client('{"type":"move","race":1,"n":1,"from":3,"to":7,"cards":2}')
    assert move == Move(race=1, n=1, source=3, target=7, cards=2)
