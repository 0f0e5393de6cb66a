import pytest

from server.transport.addresses import client_address, counted_address, parse_networks

PROXIES = parse_networks(["10.0.0.0/8", "fd00::/8"])


@pytest.mark.parametrize(
    ("peer", "forwarded_for", "expected"),
    [
        ("198.51.100.7", [], "198.51.100.7"),
        ("198.51.100.7", ["203.0.113.9"], "198.51.100.7"),
        ("10.0.0.1", [], "10.0.0.1"),
        ("10.0.0.1", ["203.0.113.9"], "203.0.113.9"),
        ("10.0.0.1", ["1.2.3.4, 203.0.113.9"], "203.0.113.9"),
        ("10.0.0.1", ["1.2.3.4", "203.0.113.9"], "203.0.113.9"),
        ("10.0.0.1", ["203.0.113.9, 10.0.0.2"], "203.0.113.9"),
        ("10.0.0.1", ["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
        ("10.0.0.1", ["203.0.113.9, nonsense"], "10.0.0.1"),
        ("fd00::1", ["2001:db8::5"], "2001:db8::5"),
        ("::ffff:198.51.100.7", [], "198.51.100.7"),
        ("fe80::1%eth0", [], "fe80::1"),
        ("", [], ""),
    ],
)
def test_the_client_address_is_the_nearest_one_that_is_not_a_trusted_proxy(
    peer: str, forwarded_for: list[str], expected: str
) -> None:
    """Only entries appended by trusted proxies are believed; the client may have forged the others."""
    assert client_address(peer, forwarded_for, PROXIES) == expected


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("198.51.100.7", "198.51.100.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("", ""),
    ],
)
def test_an_ipv6_address_is_counted_by_its_64_network(address: str, counted: str) -> None:
    assert counted_address(address) == counted


def test_a_malformed_proxy_address_is_named_in_the_error() -> None:
    with pytest.raises(ValueError, match="not-a-network"):
        parse_networks(["10.0.0.0/8", "not-a-network"])
