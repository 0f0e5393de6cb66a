"""How a chapter is carried out."""

from collections.abc import Sequence

import pytest

from conformance.chapter import Step, carry_out
from conformance.errors import SkippedError, UnmetError
from conformance.report import Finding, Verdict
from conformance.wire import HungUpError, NoServerError, RefusedError


class Stage:
    def __init__(self) -> None:
        self.said: list[str] = ["before"]
        self.left = 0

    async def leave(self) -> None:
        self.left += 1


class Chapter:
    """Steps that say something and then do as they are told: an exception, or nothing."""

    def __init__(self, *faults: Exception | None, gate: bool = False) -> None:
        self.stage = Stage()
        self.faults, self.gate = faults, gate

    def steps(self) -> Sequence[Step]:
        return [Step(f"step {at}", "S", self.does(fault), self.gate) for at, fault in enumerate(self.faults)]

    def does(self, fault: Exception | None):  # type: ignore[no-untyped-def]
        async def run() -> None:
            self.stage.said.append(f"said before {fault}")
            if fault is not None:
                raise fault

        return run


async def test_steps_go_on_after_a_failure_and_the_stage_is_left_once() -> None:
    chapter = Chapter(UnmetError("a", "b"), None)
    assert await carry_out(chapter, 3) == [
        Finding("3.1", "step 0", "S", Verdict.FAIL, "a", "b", ["said before expected a; came b"]),
        Finding("3.2", "step 1", "S", Verdict.PASS),
    ]
    assert chapter.stage.left == 1


@pytest.mark.parametrize("fault", [UnmetError("a", "b"), SkippedError("no")])
async def test_behind_a_gate_that_did_not_open_nothing_is_tried(fault: Exception) -> None:
    """The first gate that stayed shut is the reason for all."""
    chapter = Chapter(None, fault, None, None, gate=True)
    found = await carry_out(chapter, 1)
    assert [each.verdict for each in found[2:]] == [Verdict.SKIP] * 2
    assert [each.came for each in found[2:]] == ["1.2 has to pass first"] * 2
    assert len(chapter.stage.said) == 3


@pytest.mark.parametrize("fault", [HungUpError(1011, "oh"), NoServerError("nobody"), RefusedError(503)])
async def test_a_lost_connection_is_a_failure(fault: Exception) -> None:
    [found] = await carry_out(Chapter(fault), 1)
    assert (found.verdict, found.expected, found.came) == (Verdict.FAIL, "a connection", str(fault))


async def test_what_cannot_be_tried_says_why() -> None:
    [found] = await carry_out(Chapter(SkippedError("one language only")), 1)
    assert found == Finding("1.1", "step 0", "S", Verdict.SKIP, came="one language only")
