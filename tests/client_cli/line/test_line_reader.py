"""Lines from a file descriptor."""

import asyncio
import os
from collections.abc import Iterator

import pytest

from client_cli.line.line_reader import LineReader


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    ends = os.pipe()
    yield ends
    os.close(ends[0])


async def all_lines(reader: LineReader) -> list[str]:
    lines = []
    async with asyncio.timeout(10):
        while (line := await reader.next()) is not None:
            lines.append(line)
    return lines


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", []),
        (b"3 7\nundo\n", ["3 7", "undo"]),
        (b"3 7\r\nundo\r\n", ["3 7", "undo"]),
        (b"3 7\nquit", ["3 7", "quit"]),
        (b"\n\n", ["", ""]),
        ("say 加油\n".encode(), ["say 加油"]),
        (b"say \xff\n", ["say \ufffd"]),
    ],
)
async def test_lines_are_read_in_order_and_then_none(
    pipe: tuple[int, int], data: bytes, lines: list[str]
) -> None:
    os.write(pipe[1], data)
    os.close(pipe[1])
    assert await all_lines(LineReader(pipe[0], "utf-8")) == lines


async def test_a_character_may_be_split_between_two_reads(pipe: tuple[int, int]) -> None:
    reader = LineReader(pipe[0], "utf-8")
    data = "加\nx\n".encode()
    os.write(pipe[1], data[:1])
    os.write(pipe[1], data[1:])
    os.close(pipe[1])
    assert await all_lines(reader) == ["加", "x"]


async def test_waiting_for_a_line_does_not_block_the_event_loop(pipe: tuple[int, int]) -> None:
    waiting = asyncio.create_task(LineReader(pipe[0], "utf-8").next())
    turns = 0
    for _ in range(100):
        await asyncio.sleep(0)
        turns += 1
    assert (turns, waiting.done()) == (100, False)
    os.write(pipe[1], b"now\n")
    assert await asyncio.wait_for(waiting, 10) == "now"
    os.close(pipe[1])


async def test_a_closed_descriptor_is_the_end_of_the_input() -> None:
    ends = os.pipe()
    os.close(ends[1])
    os.close(ends[0])
    assert await all_lines(LineReader(ends[0], "utf-8")) == []


async def test_without_an_input_there_are_no_lines() -> None:
    assert await all_lines(LineReader(None)) == []
