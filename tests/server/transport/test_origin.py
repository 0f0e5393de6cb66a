import pytest

from server.transport.origin import (
    MOST_REPORTED,
    RefusedOrigins,
    is_origin,
    origin_allowed,
    refused_origin_text,
    shown,
)

LISTED = ["https://friends.example", "https://Cards.example/"]


@pytest.mark.parametrize(
    ("origins_sent", "allowed"),
    [
        ([], True),
        (["https://friends.example"], True),
        (["https://cards.example"], True),
        (["https://our.example:8000"], True),
        (["http://OUR.example:8000"], True),
        (["https://our.example"], False),
        (["https://friends.example.evil.example"], False),
        (["https://evil.example"], False),
        (["null"], False),
        ([""], False),
        (["https://[broken"], False),
        (["https://friends.example", "https://evil.example"], False),
    ],
)
def test_pages_of_the_same_host_and_listed_origins_may_connect(
    origins_sent: list[str], allowed: bool
) -> None:
    """So may programs, which send no Origin; an origin that cannot be parsed is refused."""
    assert origin_allowed(origins_sent, ["our.example:8000"], LISTED) is allowed


def test_a_star_allows_every_origin() -> None:
    assert origin_allowed(["https://evil.example"], ["our.example"], ["*"])


def test_a_page_is_refused_when_the_request_names_no_host() -> None:
    assert not origin_allowed(["https://evil.example"], [], [])


@pytest.mark.parametrize(
    ("origin", "host", "allowed"),
    [
        ("https://race.example.org", "race.example.org:443", True),
        ("https://race.example.org:443", "race.example.org", True),
        ("http://race.example.org", "race.example.org:80", True),
        ("http://race.example.org", "Race.Example.org", True),
        ("http://race.example.org:8180", "race.example.org", True),
        ("http://[::1]", "[::1]:80", True),
        ("http://[::1]:8180", "[::1]", True),
        ("http://race.example.org", "race.example.org:443", False),
        ("https://race.example.org", "race.example.org:80", False),
        ("https://race.example.org", "race.example.org:8443", False),
        ("https://race.example.org:8443", "race.example.org:443", False),
        ("http://[::1]", "[::2]:80", False),
        ("https://evil.example@race.example.org", "race.example.org", False),
        ("https://race.example.org/page", "race.example.org", False),
        ("https://race.example.org", "race.example.org:port", False),
        ("https://race.example.org", "", False),
        ("null", "null", False),
    ],
)
def test_a_default_port_is_the_same_whether_it_is_written_or_not(
    origin: str, host: str, allowed: bool
) -> None:
    """A Host without a port, such as nginx's `$host`, matches any port; a written port must be the same."""
    assert origin_allowed([origin], [host], []) is allowed


def test_a_listed_origin_may_have_its_default_port_written() -> None:
    assert origin_allowed(["https://friends.example"], ["us"], ["https://friends.example:443"])
    assert origin_allowed(["http://friends.example:80"], ["us"], ["http://friends.example"])
    assert not origin_allowed(["https://friends.example"], ["us"], ["http://friends.example"])
    assert origin_allowed(["null"], ["us"], ["null"])
    assert origin_allowed(["chrome-extension://abcdef"], ["us"], ["chrome-extension://abcdef"])


def test_a_request_with_two_hosts_belongs_to_no_page() -> None:
    assert not origin_allowed(["https://our.example"], ["our.example", "our.example"], [])


def test_the_answer_to_a_refused_origin_names_both_values_and_the_setting() -> None:
    assert refused_origin_text(["https://evil.example"], ["our.example:8443"]) == (
        "Pages of the origin https://evil.example may not connect: the request's Host is our.example:8443. "
        "If the page is this server's own, the proxy in between must pass on the Host that the browser sent; "
        "otherwise the operator can allow the origin with SIMONRACE_ORIGINS."
    )


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ([], "(none)"),
        (["a", "b"], "a, b"),
        (["\x1b[31mred\udcff\xe9"], "?[31mred??"),
        (["x" * 300], "x" * 200 + "..."),
    ],
)
def test_values_of_strangers_are_shown_as_short_printable_ascii(values: list[str], text: str) -> None:
    """They go into an answer, and into the log of a terminal."""
    assert shown(values) == text


def test_a_refused_origin_is_reported_once_and_only_so_many_are() -> None:
    """A stranger who sends a new origin with each request does not fill the log or the memory."""
    reported: list[tuple[str, str]] = []
    origins = RefusedOrigins(lambda origin, host: reported.append((origin, host)))
    for _ in range(2):
        for number in range(MOST_REPORTED + 20):
            origins.add(f"https://{number}.example", "our.example")
    assert reported == [(f"https://{number}.example", "our.example") for number in range(MOST_REPORTED)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("*", True),
        ("null", True),
        ("https://friends.example", True),
        ("HTTPS://Friends.Example/", True),
        ("http://localhost:8000", True),
        ("http://[::1]:8000", True),
        ("chrome-extension://abcdef", True),
        ("", False),
        ("friends.example", False),
        ("localhost:8000", False),
        ("//friends.example", False),
        ("https://", False),
        ("https://friends.example/race", False),
        ("https://friends.example?", False),
        ("https://friends.example:port", False),
        ("https://[friends", False),
    ],
)
def test_an_origin_has_scheme_host_and_port_and_nothing_else(text: str, expected: bool) -> None:
    """Anything else in the list of an operator would never match, without an error."""
    assert is_origin(text) is expected
