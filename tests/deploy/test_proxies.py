"""The example for nginx in front of a real server, and the structure of the one for Traefik."""

import re
import shutil
import socket
import subprocess
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, Final

import pytest
import websockets
import yaml  # type: ignore[import-untyped]  # it has no types
from racetest import StartNode, until, url_of

DEPLOY: Final = Path(__file__).parents[2] / "deploy"
NGINX: Final = (DEPLOY / "nginx.conf.example").read_text(encoding="utf-8")
TRAEFIK: Final[dict[str, Any]] = yaml.safe_load((DEPLOY / "traefik.yml.example").read_text(encoding="utf-8"))

PROGRAM: Final = shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/bin:/usr/local/sbin")
needs_nginx = pytest.mark.skipif(PROGRAM is None, reason="nginx is not installed (Debian: nginx-light)")


def free_port() -> int:
    with socket.socket() as plug:
        plug.bind(("127.0.0.1", 0))
        port: int = plug.getsockname()[1]
        return port


def listens(port: int) -> bool:
    with socket.socket() as plug:
        return plug.connect_ex(("127.0.0.1", port)) == 0


def configuration(folder: Path, upstream: str, port: int, example: str) -> str:
    """Return the example as a whole file, without TLS, with the ports of a test."""
    example = re.sub(r"^ +ssl_\w+ .*\n", "", example, flags=re.M)
    for before, after in (
        ("listen 443 ssl;", f"listen 127.0.0.1:{port};"),
        ("server 127.0.0.1:7466;", f"server {upstream};"),
    ):
        assert before in example
        example = example.replace(before, after)
    paths = "".join(
        f"{kind}_temp_path {folder}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    return (
        f"daemon off; master_process off; pid {folder}/pid; error_log {folder}/error.log;\n"
        f"events {{}}\nhttp {{ access_log off; {paths} {example} }}\n"
    )


def run_nginx(file: Path) -> subprocess.Popen[bytes]:
    assert PROGRAM is not None
    return subprocess.Popen(
        [PROGRAM, "-c", str(file), "-e", str(file.with_name("error.log")), "-p", str(file.parent)]
    )


@pytest.fixture
async def nginx(tmp_path: Path, node: StartNode) -> AsyncIterator[Callable[..., Any]]:
    """Start a server and nginx in front of it; yields a function that returns the port of nginx."""
    running: list[subprocess.Popen[bytes]] = []

    async def start(example: str = NGINX) -> int:
        where = await node()
        port = free_port()
        file = tmp_path / "nginx.conf"
        upstream = url_of(where).removeprefix("ws://")
        file.write_text(configuration(tmp_path, upstream, port, example))
        running.append(run_nginx(file))
        await until(lambda: listens(port))
        return port

    yield start
    for process in running:
        process.terminate()
        process.wait(10)


async def status(port: int, path: str = "/", **options: Any) -> int:
    """Return the HTTP status of a handshake through nginx."""
    try:
        url = f"ws://127.0.0.1:{port}{path}"
        async with websockets.connect(url, proxy=None, **options) as connection:
            await connection.ping()
            return 101
    except websockets.InvalidStatus as refused:
        return refused.response.status_code


@needs_nginx
async def test_the_server_behind_nginx_accepts_its_own_page_and_no_other(nginx: Callable[..., Any]) -> None:
    """At the root of a name and at a path; programs send no origin."""
    port = await nginx()
    own = f"http://127.0.0.1:{port}"
    assert await status(port) == 101
    assert await status(port, "/ws", origin=own) == 101
    assert await status(port, "/race/", origin=own) == 101
    assert await status(port, "/race/ws", origin=own) == 101
    assert await status(port, origin="https://evil.example") == 403


@needs_nginx
async def test_host_without_its_port_is_the_same_host(nginx: Callable[..., Any]) -> None:
    """The `$host` of many examples has no port."""
    port = await nginx(NGINX.replace("Host $http_host", "Host $host"))
    assert await status(port, origin=f"http://127.0.0.1:{port}") == 101
    assert await status(port, origin="https://evil.example") == 403


@needs_nginx
async def test_without_the_two_headers_docs_name_the_answer(nginx: Callable[..., Any]) -> None:
    """No Upgrade: 426. No Host: a page is refused with 403."""
    port = await nginx(re.sub(r" +proxy_set_header (Upgrade|Connection|Host) .*\n", "", NGINX))
    assert await status(port) == 426
    port = await nginx(re.sub(r" +proxy_set_header Host .*\n", "", NGINX))
    assert await status(port, origin=f"http://127.0.0.1:{port}") == 403


def test_the_example_for_traefik_refers_to_what_it_defines() -> None:
    http = TRAEFIK["http"]
    for router in http["routers"].values():
        assert router["service"] in http["services"]
        assert set(router.get("middlewares", [])) <= http["middlewares"].keys()
    (balancer,) = (service["loadBalancer"] for service in http["services"].values())
    assert balancer["healthCheck"]["path"] == "/readyz"
    assert [server["url"] for server in balancer["servers"]] == ["http://127.0.0.1:7466"]
