import pytest
from racetest import Ledger

from server.reach import Reach, reach, report_reach


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", Reach.THIS_MACHINE),
        ("::1", Reach.THIS_MACHINE),
        ("::ffff:127.0.0.1", Reach.THIS_MACHINE),
        ("localhost", Reach.THIS_MACHINE),
        ("LocalHost.", Reach.THIS_MACHINE),
        ("192.168.1.20", Reach.OWN_NETWORK),
        ("10.1.2.3", Reach.OWN_NETWORK),
        ("172.20.0.4", Reach.OWN_NETWORK),
        ("169.254.3.4", Reach.OWN_NETWORK),
        ("100.101.102.103", Reach.OWN_NETWORK),
        ("fd12::1", Reach.OWN_NETWORK),
        ("fe80::1%eth0", Reach.OWN_NETWORK),
        ("0.0.0.0", Reach.UNKNOWN),  # noqa: S104
        ("::", Reach.UNKNOWN),
        ("8.8.8.8", Reach.UNKNOWN),
        ("2a00:1450::1", Reach.UNKNOWN),
        ("race.example.org", Reach.UNKNOWN),
        ("", Reach.UNKNOWN),
    ],
)
def test_private_addresses_reach_the_own_network_only(host: str, expected: Reach) -> None:
    """Addresses of overlay networks (100.64.0.0/10) belong to those who are in it."""
    assert reach(host) is expected


@pytest.mark.parametrize(
    ("host", "levels"),
    [
        ("192.168.1.20", ["warning"]),
        ("fd12::1", ["warning"]),
        ("127.0.0.1", ["info"]),
        ("0.0.0.0", []),  # noqa: S104
        ("race.example.org", []),
    ],
)
def test_a_link_with_a_private_address_is_a_warning(host: str, levels: list[str]) -> None:
    """A server for this machine alone, the default, is worth a line; friends elsewhere are not expected."""
    ledger = Ledger()
    report_reach(host, ledger)
    assert [(level, fields) for level, _, fields in ledger.lines] == [
        (each, {"host": host}) for each in levels
    ]
