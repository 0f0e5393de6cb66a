"""Fan-out: one message to many subscribers, encoded once for each encoding."""

import json
from dataclasses import dataclass, field

import msgpack  # type: ignore[import-untyped]  # it brings no types

from protocol.codec import JSON_CODEC, MSGPACK_CODEC, Codec
from protocol.from_server import Done, FromServer
from server.rooms.fanout import broadcast, broadcast_latest


@dataclass
class Frames:
    """A connection that keeps the frames that it gets."""

    sent: list[bytes] = field(default_factory=list)
    latest: dict[str, bytes] = field(default_factory=dict)

    def send(self, frame: bytes) -> None:
        self.sent.append(frame)

    def send_latest(self, kind: str, frame: bytes) -> None:
        self.latest[kind] = frame


@dataclass
class Receiver:
    """A subscriber that only receives."""

    codec: Codec
    lang: str = "en"
    gone: bool = False
    connection: Frames = field(default_factory=Frames)

    def send(self, message: FromServer) -> None:
        raise AssertionError(f"{message} is encoded once, not for each subscriber")

    def charge(self, actions: int) -> None: ...

    def replaced(self) -> None: ...

    def failed(self) -> None: ...

    def overran(self) -> None: ...

    def left(self) -> None: ...


def test_each_subscriber_gets_the_message_in_its_encoding() -> None:
    """Subscribers of one encoding share one frame: the same object, not an equal one."""
    binary, other, text = Receiver(MSGPACK_CODEC), Receiver(MSGPACK_CODEC), Receiver(JSON_CODEC)
    broadcast(Done(ref=7), [binary, text, other])
    assert binary.connection.sent[0] is other.connection.sent[0]
    assert msgpack.unpackb(binary.connection.sent[0][2:]) == {"type": "done", "ref": 7}
    assert json.loads(text.connection.sent[0][2:]) == {"type": "done", "ref": 7}


def test_a_newer_message_of_a_kind_replaces_an_older_one() -> None:
    """Standings that a slow client has not read yet are worth nothing once newer ones exist."""
    receivers = [Receiver(JSON_CODEC), Receiver(MSGPACK_CODEC)]
    broadcast_latest("standings", Done(ref=1), receivers)
    broadcast_latest("standings", Done(ref=2), receivers)
    assert json.loads(receivers[0].connection.latest["standings"][2:])["ref"] == 2
    assert msgpack.unpackb(receivers[1].connection.latest["standings"][2:])["ref"] == 2
