"""Who is on the other side: the peer of the socket, or whom a trusted proxy names."""

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network


def networks(texts: Sequence[str]) -> tuple[Network, ...]:
    """Read addresses and networks such as `10.0.0.0/8`; raises ValueError on anything else."""
    return tuple(ip_network(text, strict=False) for text in texts)


def client_address(peer: str, forwarded_for: Sequence[str], trusted: Sequence[Network]) -> str:
    """Find the nearest address that no trusted proxy stands for.

    `forwarded_for` holds the values of X-Forwarded-For, each a comma-separated list to which every proxy
    appends the peer it saw. They are read from the end, as far as trusted proxies wrote them: whatever
    stands before is a claim of the client.
    """
    nearest = _parse(peer)
    if nearest is None:
        return peer
    claims = [claim for value in forwarded_for for claim in value.split(",")]
    while claims and _is_trusted(nearest, trusted):
        further = _parse(claims.pop().strip())
        if further is None:
            break
        nearest = further
    return str(nearest)


def is_trusted(peer: str, trusted: Sequence[Network]) -> bool:
    """Tell whether a peer is one of the trusted proxies, which speak for many."""
    address = _parse(peer)
    return address is not None and _is_trusted(address, trusted)


def counted_address(address: str) -> str:
    """Name what connections are counted by: the address, or the /64 network that one IPv6 household has."""
    parsed = _parse(address)
    if isinstance(parsed, IPv6Address):
        return str(IPv6Network((parsed, 64), strict=False))
    return address


def _is_trusted(address: Address, trusted: Sequence[Network]) -> bool:
    return any(address in network for network in trusted)


def _parse(text: str) -> Address | None:
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return address
