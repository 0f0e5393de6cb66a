"""The command `simonrace-server` as people type it: one clear sentence when it cannot start."""

import os
import signal
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from racetest import Client, Process, fetch, until

from server.store.embedded import EmbeddedRedis

Listening = Callable[[], int]


@pytest.fixture
def taken() -> Iterator[int]:
    """A port on which another program listens."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        yield int(other.getsockname()[1])


@pytest.fixture
def free() -> int:
    """A port on which no program listens."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


async def refusal(*words: str | Path, **environment: str) -> tuple[int, str]:
    """Start a server that cannot start; return its exit code and its message of one line."""
    server = await Process.start(*words, **environment)
    code = await server.ended()
    assert "Traceback" not in server.errors
    *before, last = server.errors.splitlines()
    assert not [line for line in before if "error" in line.lower()]
    return code, last


async def test_an_unknown_option_is_named() -> None:
    """Exit code 2, as for any usage error."""
    code, said = await refusal("--prot", "1")
    assert code == 2
    assert said.startswith("Error: No such option '--prot'")


async def test_a_value_of_the_environment_is_checked_like_an_option() -> None:
    """The sentence is the same, wherever the value comes from."""
    code, said = await refusal(SIMONRACE_PORT="http")
    assert code == 2
    assert "'--port'" in said
    assert "'http' is not a valid integer" in said


async def test_a_port_in_use_is_told(redis_server: EmbeddedRedis, prefix: str, taken: int) -> None:
    """With the address and the options that choose another."""
    code, said = await refusal("--redis", redis_server.url, "--redis-prefix", prefix, "--port", str(taken))
    assert (code, said) == (
        1,
        f"simonrace-server: Cannot listen on 127.0.0.1:{taken}: Address already in use. "
        "Choose another address with --host and --port.",
    )


async def test_a_metrics_port_in_use_is_told(redis_server: EmbeddedRedis, prefix: str, taken: int) -> None:
    """The sentence names the port that is taken, not the other one."""
    code, said = await refusal(
        "--redis", redis_server.url, "--redis-prefix", prefix, "--port", "0", "--metrics-port", str(taken)
    )
    assert (code, said) == (
        1,
        f"simonrace-server: Cannot listen on 127.0.0.1:{taken}: Address already in use. "
        "Choose another address with --metrics-host and --metrics-port.",
    )


@pytest.mark.parametrize("host", ["no.such.host.invalid", "203.0.113.1"])
async def test_a_host_that_is_not_here_is_told(redis_server: EmbeddedRedis, prefix: str, host: str) -> None:
    """Whether the name is unknown or the address another machine's."""
    code, said = await refusal(
        "--redis", redis_server.url, "--redis-prefix", prefix, "--host", host, "--port", "0"
    )
    assert code == 1
    assert said.startswith(f"simonrace-server: Cannot listen on {host}:0: ")
    assert said.endswith(". Choose another address with --host and --port.")


async def test_no_redis_at_the_address_is_told(free: int) -> None:
    """With the address, and what to check."""
    code, said = await refusal("--redis", f"redis://127.0.0.1:{free}/0", "--port", "0")
    assert code == 1
    assert said.startswith(f"simonrace-server: The store at redis://127.0.0.1:{free}/0 cannot be reached (")
    assert said.endswith("): check the address and that it runs.")


@pytest.mark.parametrize("url", ["http://example.org", "redis://host:port/0"])
async def test_what_is_no_address_of_a_store_is_told(url: str) -> None:
    """With examples of valid addresses."""
    code, said = await refusal("--redis", url, "--port", "0")
    assert code == 1
    assert "is not an address of a store" in said
    assert "redis://host:6379/0" in said


async def test_something_else_at_the_address_is_told(redis_server: EmbeddedRedis, prefix: str) -> None:
    """A web server, or another program, where the store should be."""
    other = await Process.serving("--redis", redis_server.url, "--redis-prefix", prefix)
    address = other.url.removeprefix("ws://")
    code, said = await refusal("--redis", f"redis://{address}/0", "--port", "0")
    assert code == 1
    assert said.startswith(f"simonrace-server: The server at redis://{address}/0 is not Redis")
    await other.close()


async def test_a_password_that_is_missing_or_wrong_is_told(tmp_path: Path) -> None:
    """NOAUTH and WRONGPASS in words, and the password stays out of them."""
    deep = tmp_path / ("d" * 60) / ("e" * 60)  # too long for a socket's path, so the store has a port
    with EmbeddedRedis.start(deep) as store:
        address = f"127.0.0.1:{store.address.port}"
        code, said = await refusal("--redis", f"redis://{address}/0", "--port", "0")
        assert (code, said) == (
            1,
            f"simonrace-server: The store at redis://{address}/0 asks for a password: "
            "put it into the address, as in redis://:PASSWORD@host:6379/0.",
        )
        code, said = await refusal("--redis", f"redis://:open-sesame@{address}/0", "--port", "0")
        assert code == 1
        assert "does not accept this user name and password" in said
        assert "open-sesame" not in said


async def test_a_data_folder_that_cannot_be_is_told(tmp_path: Path) -> None:
    """A file is in its place, or on the way to it."""
    file = tmp_path / "file"
    file.touch()
    code, said = await refusal("--data", file, "--port", "0")
    assert code == 2
    assert f"'{file}' is a file" in said
    code, said = await refusal("--data", file / "below", "--port", "0")
    assert (code, said) == (
        1,
        f"simonrace-server: The data folder {file / 'below'} cannot be written (Not a directory): "
        "choose another folder, or correct its permissions.",
    )


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody who may not write")
async def test_a_data_folder_without_permission_is_told_to_root_too() -> None:
    """Even root cannot write to some places of the kernel."""
    code, said = await refusal("--data", Path("/proc/simonrace"), "--port", "0")
    assert code == 1
    assert said.startswith("simonrace-server: The data folder /proc/simonrace cannot be written (")


async def test_every_option_is_an_environment_variable(redis_server: EmbeddedRedis, prefix: str) -> None:
    """A container needs no command line."""
    server = await Process.start(
        SIMONRACE_REDIS=redis_server.url,
        SIMONRACE_REDIS_PREFIX=prefix,
        SIMONRACE_PORT="0",
        SIMONRACE_MAX_ROOMS="1",
        SIMONRACE_ORIGINS="https://one.example https://two.example",
        SIMONRACE_LOG_FORMAT="json",
    )
    await server.listens()
    ada, ben = Client(server.url, "Ada"), Client(server.url, "Ben")
    for each in (ada, ben):
        await each.open()
        await each.hello()
    await ada.create()
    assert await ben.error_code("create") == "server_full"
    server.terminate()
    assert (await ada.closed())[0] == (await ben.closed())[0] == 1012
    assert await server.ended() == 0
    assert '"event": "ready"' in server.errors


async def test_ctrl_c_stops_like_sigterm(tmp_path: Path) -> None:
    """Exit code 0, the store in the folder stopped, nothing of it left running."""
    server = await Process.serving("--data", tmp_path / "data")
    store = int((tmp_path / "data" / "store.pid").read_text())
    os.kill(server.pid, signal.SIGINT)
    assert await server.ended() == 0
    with pytest.raises(ProcessLookupError):
        os.kill(store, 0)


async def test_a_killed_server_takes_its_store_with_it(tmp_path: Path) -> None:
    """No process is left behind."""
    server = await Process.serving("--data", tmp_path / "data")
    store = int((tmp_path / "data" / "store.pid").read_text())
    server.kill()
    await server.ended()

    def gone() -> bool:
        try:
            os.kill(store, 0)
        except ProcessLookupError:
            return True
        return Path(f"/proc/{store}/stat").read_text().split(")")[1].split()[0] == "Z"

    await until(gone)


async def test_health_and_metrics_are_served(redis_server: EmbeddedRedis, prefix: str, free: int) -> None:
    """On the port of the game and on one of their own, as the command says."""
    server = await Process.serving(
        "--redis", redis_server.url, "--redis-prefix", prefix, "--metrics-port", str(free)
    )
    pages = {
        f"{server.url.replace('ws:', 'http:')}/healthz": "alive\n",
        f"{server.url.replace('ws:', 'http:')}/readyz": "ready\n",
        f"http://127.0.0.1:{free}/metrics": "simonrace_connections 0.0\n",
    }
    for address, part in pages.items():
        status, body = await fetch(address)
        assert status == 200
        assert part in body
    assert (await fetch(f"{server.url.replace('ws:', 'http:')}/nothing/here"))[0] == 404
    await server.close()
