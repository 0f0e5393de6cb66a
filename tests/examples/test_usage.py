"""What the examples print for somebody who starts them for the first time."""

from typing import Any

import pytest

LINES = {
    "python_client.py": "python python_client.py ws://localhost:7466",
    "bot.py": "python bot.py ws://localhost:7466",
    "spectator.py": "python spectator.py ws://localhost:7466",
    "javascript/client.mjs": "node client.mjs ws://localhost:7466",
}


@pytest.mark.parametrize("example", LINES)
async def test_started_without_arguments_an_example_prints_its_usage(
    example: str, run: Any, request: pytest.FixtureRequest
) -> None:
    """Not a traceback."""
    if example.endswith(".mjs"):
        request.getfixturevalue("node_js")
    program = await run(example)
    assert await program.ends() != 0
    assert any(LINES[example] in line for line in program.printed)
    assert not any("Traceback" in line or "Error" in line for line in program.printed)


async def test_a_bot_with_an_unknown_strategy_prints_its_usage(run: Any) -> None:
    program = await run("bot.py", "ws://localhost:1", "new", "Robby", "brilliant")
    assert await program.ends() != 0
    assert any(LINES["bot.py"] in line for line in program.printed)


@pytest.mark.parametrize("example", ["python_client.py", "javascript/client.mjs"])
async def test_without_a_server_a_client_prints_that_it_tries_again(
    example: str, run: Any, request: pytest.FixtureRequest
) -> None:
    """With a wrong address the screen must not stay empty."""
    if example.endswith(".mjs"):
        request.getfixturevalue("node_js")
    program = await run(example, "ws://localhost:1", "new", "Ada")
    assert "trying again after" in await program.prints("trying again")
    program.process.terminate()
    await program.ends()  # not killed: under Node 20 it has a process of its own to tell
