"""Client programs are counted by name and version, up to a number of names."""

import pytest

from server.sessions.client_programs import MAX_NAMES, OTHER, ClientPrograms


def test_each_version_of_each_program_is_counted_separately() -> None:
    programs = ClientPrograms()
    said = ["simonrace/0.1.0", "simonrace/0.2.0", "example/1", "simonrace/0.1.0"]
    assert [programs.count(each) for each in said] == said
    assert programs.hellos == {OTHER: 0, "simonrace/0.1.0": 2, "simonrace/0.2.0": 1, "example/1": 1}


@pytest.mark.parametrize(
    "claimed",
    [
        "",
        OTHER,
        "example",
        "example/",
        "/1.0",
        "example/one",
        "example 1.0",
        "example/1 ",
        "example/1\n",
        "1/1",
        "a/1/2",
        "exämple/1",
        "example/１",
        "a" * 41 + "/1",
        "a/1" + "0" * 23,
    ],
)
def test_a_text_without_name_and_version_is_counted_as_other(claimed: str) -> None:
    """No client puts into the numbers or the logs what is no name."""
    programs = ClientPrograms()
    assert programs.count(claimed) == OTHER
    assert programs.hellos == {OTHER: 1}


def test_a_program_with_a_long_name_and_version_is_counted_by_name() -> None:
    """All that fits into the 64 characters that `hello.client` may have."""
    longest = "a" * 40 + "/1" + "0" * 22
    assert len(longest) == 64
    assert ClientPrograms().count(longest) == longest


def test_a_limited_number_of_programs_is_counted_by_name() -> None:
    """Who makes up a new name at every hello fills no memory; those who were there first go on as before."""
    programs = ClientPrograms()
    names = [programs.count(f"made-up/{number}") for number in range(MAX_NAMES + 5)]
    assert names == [f"made-up/{number}" for number in range(MAX_NAMES)] + [OTHER] * 5
    assert programs.count("made-up/7") == "made-up/7"
    assert len(programs.hellos) == MAX_NAMES + 1
    assert sum(programs.hellos.values()) == MAX_NAMES + 6
