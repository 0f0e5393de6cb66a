"""All groups of checks of a server; tests/client_cli/cli/test_conformance.py has whole runs."""

import re
from pathlib import Path

from conformance.of_server.scripted_client import ServerUnderTest
from conformance.of_server.suite import ALL_CHECK_GROUPS

DOCUMENT = Path(__file__).parents[3] / "PROTOCOL.md"
STEPS = [check for group in ALL_CHECK_GROUPS for check in group(ServerUnderTest("")).checks()]


def test_each_check_names_a_section_of_protocol_md() -> None:
    """The author of a failed server reads there what is expected."""
    headings = re.findall(r"^## (.+)$", DOCUMENT.read_text(), re.MULTILINE)
    assert {check.section for check in STEPS} <= {*headings}


def test_each_check_has_a_unique_title() -> None:
    """Otherwise two checks of a report look the same."""
    assert len({check.title for check in STEPS}) == len(STEPS) > 80
