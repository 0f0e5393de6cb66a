"""Client addresses: the socket's peer, or the address that a trusted proxy forwards."""

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network


def parse_networks(texts: Sequence[str]) -> tuple[Network, ...]:
    """Parse addresses and networks such as `10.0.0.0/8`; raise ValueError for anything else."""
    return tuple(ip_network(text, strict=False) for text in texts)


def client_address(peer: str, forwarded_for: Sequence[str], trusted: Sequence[Network]) -> str:
    """Return the nearest address that is not a trusted proxy.

    `forwarded_for` holds the values of X-Forwarded-For, each a comma-separated list to which every proxy
    appends the peer that it saw. The list is read from the end and only as far as trusted proxies wrote it;
    the client may have forged everything before that.
    """
    nearest = _parse(peer)
    if nearest is None:
        return peer
    hops = [hop for value in forwarded_for for hop in value.split(",")]
    while hops and _is_trusted(nearest, trusted):
        previous = _parse(hops.pop().strip())
        if previous is None:
            break
        nearest = previous
    return str(nearest)


def is_trusted(peer: str, trusted: Sequence[Network]) -> bool:
    """Return whether a peer is a trusted proxy, which many clients share."""
    address = _parse(peer)
    return address is not None and _is_trusted(address, trusted)


def counted_address(address: str) -> str:
    """Return the key by which an address is counted: for IPv6 its /64 network, otherwise the address.

    A household has a whole /64 network, so limits on single IPv6 addresses would limit nobody.
    """
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
