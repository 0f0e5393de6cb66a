"""What the chaos suite is made of: servers as processes, people who write everything down, and a judge."""

from ordeal.cluster import LocalCluster
from ordeal.crowd import Crowd, plan
from ordeal.fleet import Fleet, Server
from ordeal.pair import LocalPair
from ordeal.proxy import Proxy
from ordeal.racer import Racer
from ordeal.verdict import clean_up, connections_to, judge, room_events, unaccounted
from ordeal.wire import Message, Wire

__all__ = [
    "Crowd",
    "Fleet",
    "LocalCluster",
    "LocalPair",
    "Message",
    "Proxy",
    "Racer",
    "Server",
    "Wire",
    "clean_up",
    "connections_to",
    "judge",
    "plan",
    "room_events",
    "unaccounted",
]
