"""Reach of an address: whether friends elsewhere can use a link with it."""

from enum import StrEnum
from ipaddress import IPv6Address, ip_address
from typing import Any


class Reach(StrEnum):
    """Who can connect to an address."""

    THIS_MACHINE = "this machine"
    OWN_NETWORK = "own network"
    UNKNOWN = "unknown"
    """A public address, all addresses of the machine, or a name."""


def reach(host: str) -> Reach:
    """Return who can connect to a server that listens on this host."""
    if host.lower().rstrip(".") == "localhost":
        return Reach.THIS_MACHINE
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return Reach.UNKNOWN
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    if address.is_loopback:
        return Reach.THIS_MACHINE
    if address.is_unspecified or address.is_global:
        return Reach.UNKNOWN
    return Reach.OWN_NETWORK


def report_reach(host: str, log: Any) -> None:
    """Log who can use a link with this address, if not everybody can."""
    match reach(host):
        case Reach.THIS_MACHINE:
            log.info("only this machine can connect; --host 0.0.0.0 allows others", host=host)
        case Reach.OWN_NETWORK:
            log.warning(
                "only your own network can connect; docs/friends-elsewhere.md has ways for other friends",
                host=host,
            )
        case Reach.UNKNOWN:
            pass
