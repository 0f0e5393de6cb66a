"""What a conformance run against a server consists of, at its longest; test_command.py has whole runs."""

import re
from pathlib import Path

from conformance.of_server.suite import LONG
from conformance.of_server.visitor import Stage

DOCUMENT = Path(__file__).parents[3] / "PROTOCOL.md"
STEPS = [step for chapter in LONG for step in chapter(Stage("")).steps()]


def test_each_check_names_a_section_of_the_document() -> None:
    """Whoever fails a check reads there what was expected."""
    headings = re.findall(r"^## (.+)$", DOCUMENT.read_text(), re.MULTILINE)
    assert {step.section for step in STEPS} <= {*headings}


def test_each_check_has_a_title_of_its_own() -> None:
    """Otherwise a report would not tell them apart."""
    assert len({step.title for step in STEPS}) == len(STEPS) > 80
