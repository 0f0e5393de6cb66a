"""What tests of a running server share: a client of another codec, deals with their solutions, processes."""

from racetest.client import Client, Encoding, Message, rows_of
from racetest.deals import CODE, OTHER_CODE, Step, detour, solution
from racetest.fixtures import Connect, Gather, StartNode
from racetest.gates import Gate, GatedStore, hold_game
from racetest.http import fetch, url_of
from racetest.inbox import publish_to
from racetest.ledger import Ledger
from racetest.playing import endless, play_on
from racetest.process import Process
from racetest.waiting import PATIENCE_S, until

__all__ = [
    "CODE",
    "OTHER_CODE",
    "PATIENCE_S",
    "Client",
    "Connect",
    "Encoding",
    "Gate",
    "GatedStore",
    "Gather",
    "Ledger",
    "Message",
    "Process",
    "StartNode",
    "Step",
    "detour",
    "endless",
    "fetch",
    "hold_game",
    "play_on",
    "publish_to",
    "rows_of",
    "solution",
    "until",
    "url_of",
]
