"""What a conformance run against a server consists of, at its longest; test_command.py has whole runs."""

import re
from pathlib import Path

from conformance.of_server.scripted_client import ServerUnderTest
from conformance.of_server.suite import ALL_CHECK_GROUPS

DOCUMENT = Path(__file__).parents[3] / "PROTOCOL.md"
STEPS = [check for group in ALL_CHECK_GROUPS for check in group(ServerUnderTest("")).checks()]


def test_each_check_names_a_section_of_the_document() -> None:
    """Whoever fails a check reads there what was expected."""
    headings = re.findall(r"^## (.+)$", DOCUMENT.read_text(), re.MULTILINE)
    assert {check.section for check in STEPS} <= {*headings}


def test_each_check_has_a_title_of_its_own() -> None:
    """Otherwise a report would not tell them apart."""
    assert len({check.title for check in STEPS}) == len(STEPS) > 80
