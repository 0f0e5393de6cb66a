"""The command `simonrace conformance`: run, print, return an exit code."""

import asyncio
from collections.abc import Callable, Sequence

import click

from client_cli.core.addresses import Server
from client_cli.core.errors import Failure
from client_cli.core.verify import read, verify
from conformance.checks import CheckGroup
from conformance.of_client.referee import referee
from conformance.of_server.scripted_client import ServerUnderTest
from conformance.of_server.suite import ALL_CHECK_GROUPS, CHECK_GROUPS, check_server
from conformance.report import Report
from conformance.wire import CannotConnectError, HandshakeRefusedError, OutgoingConnection
from protocol.version import JSON


def of_server(server: Server, *, at_length: bool, as_json: bool) -> int:
    """Check a server and return the exit code; `at_length` takes minutes. Raises Failure without a server."""
    return show(
        asyncio.run(_of_server(server.socket_url, ALL_CHECK_GROUPS if at_length else CHECK_GROUPS)),
        as_json=as_json,
    )


def of_client(host: str, port: int, *, as_json: bool) -> int:
    """Check the client that connects and return the exit code. Raises Failure if the port is in use."""

    def echo(line: str) -> None:
        click.echo(line, err=as_json)

    try:
        return show(asyncio.run(referee(echo, port, host=host)), as_json=as_json)
    except OSError as fault:
        raise Failure(
            f"The referee cannot listen on {host}:{port} ({fault.strerror}). Choose another --host or --port."
        ) from None


async def _of_server(url: str, groups: Sequence[Callable[[ServerUnderTest], CheckGroup]]) -> Report:
    try:
        await (await OutgoingConnection.open(url, JSON)).close()
    except (CannotConnectError, HandshakeRefusedError) as fault:
        raise Failure(f"{url} cannot be checked: {fault}") from None
    return await check_server(url, groups, _faults)


def _faults(record: bytes) -> list[str]:
    return verify(read(record)).faults


def show(report: Report, *, as_json: bool) -> int:
    """Print a report and return the exit code."""
    click.echo(report.json() if as_json else "\n".join(report.lines()))
    return 0 if report.passed else 1
