"""Parts of the chaos tests: server processes, stores, recording clients, and the invariants to check."""

from chaostest.client_group import ClientGroup, plan
from chaostest.cluster import LocalCluster
from chaostest.connection import Connection, Message
from chaostest.fleet import Fleet, Server
from chaostest.invariants import (
    check_invariants,
    connections_to,
    keys_without_owner,
    room_events,
    stop_and_check,
)
from chaostest.proxy import Proxy
from chaostest.racing_client import RacingClient
from chaostest.replication import LocalReplication

__all__ = [
    "ClientGroup",
    "Connection",
    "Fleet",
    "LocalCluster",
    "LocalReplication",
    "Message",
    "Proxy",
    "RacingClient",
    "Server",
    "check_invariants",
    "connections_to",
    "keys_without_owner",
    "plan",
    "room_events",
    "stop_and_check",
]
