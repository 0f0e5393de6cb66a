"""Checks of the image and the compose file that need no container engine."""

import hashlib
import json
import os
import re
import subprocess
import sys
import threading
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final

import click
import pytest
from packaging.requirements import Requirement

from server.config import Config
from server.main import cli

ROOT: Final = Path(__file__).parents[2]
DOCKERFILE: Final = (ROOT / "Dockerfile").read_text()
COMPOSE: Final = (ROOT / "docker-compose.yml").read_text()
DOMAIN: Final = (ROOT / "deploy" / "domain.yml").read_text()
CADDYFILE: Final = (ROOT / "deploy" / "Caddyfile").read_text()
PAGE: Final = (ROOT / "docs" / "hosting.md").read_text()

OPTIONS: Final = {
    f"SIMONRACE_{(option.name or '').upper()}"
    for option in cli.params
    if isinstance(option, click.Option) and not option.hidden and option.name != "version"
}
OF_THE_IMAGE: Final = {"SIMONRACE_HOST", "SIMONRACE_PORT", "SIMONRACE_DATA"}
"""Options that the image fixes: where it listens, and the folder that it does not use."""

OF_COMPOSE: Final = {
    "SIMONRACE_PORT",
    "SIMONRACE_DOMAIN",
    "SIMONRACE_SERVERS",
    "SIMONRACE_STORE_MEMORY",
    "SIMONRACE_GRAFANA_PORT",
}
"""Variables of the compose file that are not options of the server. The port is the published one."""

SERVICES: Final = ("store", "server-a", "server-b", "proxy", "prometheus", "grafana")

MOST_COMMIT_SECONDS: Final = 4
"""A stopping server finishes commits for up to two seconds twice: before and after its clients leave."""


def block(text: str, *path: str) -> str:
    """Return the block that is indented below a path of keys. Raises AssertionError if it is missing."""
    for depth, key in enumerate(path):
        indent = "  " * depth
        found = re.search(rf"^{indent}{re.escape(key)}:(.*\n(?:{indent} .*\n|\n|{indent}#.*\n)*)", text, re.M)
        assert found, f"{'.'.join(path[: depth + 1])} is missing"
        text = found[1]
    return text


def digest(paths: list[Path]) -> str:
    """Return a short digest of the files at these paths, with the names of those in folders."""
    found = hashlib.sha256()
    for path in paths:
        for each in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if each.is_file():
                found.update(str(each.relative_to(path)).encode() + b"\0" + each.read_bytes() + b"\0")
    return found.hexdigest()[:12]


def services() -> list[str]:
    return re.findall(r"^  ([a-z-]+):$", block(COMPOSE, "services"), re.M)


def instructions(name: str) -> list[str]:
    """Return the arguments of each instruction of this name in the Dockerfile, in order."""
    joined = DOCKERFILE.replace("\\\n", " ")
    return [line.split(maxsplit=1)[1] for line in joined.splitlines() if line.startswith(f"{name} ")]


def shown(default: object) -> str:
    """Return a default in the form of the page."""
    match default:
        case ():
            return "none"
        case float():
            return f"{default:g}"
        case _:
            return str(default)


def health_command() -> list[str]:
    found = instructions("HEALTHCHECK")
    assert len(found) == 1
    command: list[str] = json.loads(found[0].partition("CMD ")[2])
    return command


@contextmanager
def answering(status: int) -> Iterator[tuple[int, list[str]]]:
    """Answer every GET with a status. Yields the port and the requested paths."""
    asked: list[str] = []

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(status)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.server_port, asked
        finally:
            server.shutdown()
            thread.join()


def run_health_command(port: int) -> int:
    program, *arguments = health_command()
    assert program == "python"
    environment = {**os.environ, "SIMONRACE_PORT": str(port)}
    done = subprocess.run(
        [sys.executable, *arguments], env=environment, capture_output=True, timeout=30, check=False
    )
    return done.returncode


@pytest.mark.parametrize(("status", "code"), [(200, 0), (503, 1)])
def test_the_image_is_healthy_exactly_when_readyz_says_so(status: int, code: int) -> None:
    """The health check requests /readyz once: 200 is healthy, 503 is not."""
    with answering(status) as (port, asked):
        assert (run_health_command(port), asked) == (code, ["/readyz"])


def test_the_image_is_not_healthy_when_no_server_listens() -> None:
    """The server has not started yet, or has ended."""
    with answering(200) as (port, _):
        pass
    assert run_health_command(port) == 1


def test_the_image_holds_the_packages_of_the_distribution_and_nothing_else() -> None:
    """Dockerfile, .dockerignore and pyproject.toml name the same packages."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    packages = set(project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"])
    files = {"pyproject.toml", "requirements.lock", project["project"]["readme"], "LICENSE"}
    copied = {
        source
        for line in instructions("COPY")
        if not line.startswith("--from")
        for source in line.split()[:-1]
    }
    let_in = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    assert copied == packages | files
    assert let_in == copied
    assert [name for name in sorted(copied) if not (ROOT / name).exists()] == []


def test_the_image_installs_pinned_packages_of_the_server_alone() -> None:
    """Only the `[server]` extra is installed, at the versions of requirements.lock."""
    installs = [line for line in instructions("RUN") if " install " in line]
    assert len(installs) == 1
    assert "-c requirements.lock '.[server]'" in installs[0]


def test_every_requirement_is_pinned_to_a_version_that_it_allows() -> None:
    """A pin outside the range of pyproject.toml stops the build of the image."""
    pins = dict(re.findall(r"^([\w.-]+)==([^\s;]+)", (ROOT / "requirements.lock").read_text(), re.M))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"].values()
    wanted = [Requirement(text) for texts in (project["dependencies"], *extras) for text in texts]
    assert len(wanted) > 15
    assert [str(each) for each in wanted if not each.specifier.contains(pins.get(each.name, "0"))] == []


def test_the_image_runs_the_server_as_an_unprivileged_user() -> None:
    """The entry point is `simonrace-server`, so it receives the signals; it does not run as root."""
    assert instructions("USER") == ["10001:10001"]
    assert instructions("ENTRYPOINT") == ['["simonrace-server"]']
    assert instructions("STOPSIGNAL") == ["SIGTERM"]


def test_only_the_proxy_is_published() -> None:
    """The store, the servers and their metrics are reachable only through the proxy.

    Grafana, if it is started, is reachable from the machine itself: see test_monitoring.py.
    """
    published = {name for name in services() if "\n    ports:" in block(COMPOSE, "services", name)}
    assert published == {"proxy", "grafana"}
    assert "ports:" not in block(COMPOSE, "x-server")
    assert re.findall(r'- "(.*)"', block(COMPOSE, "services", "proxy", "ports")) == [
        "${SIMONRACE_PORT:-7466}:7466"
    ]
    assert re.findall(r'- "(.*)"', block(DOMAIN, "services", "proxy", "ports")) == ["80:8080", "443:8443"]


def test_the_store_is_in_an_internal_network() -> None:
    """The store has no password; only the servers share its network."""
    assert "networks: [back]" in block(COMPOSE, "services", "store")
    assert "networks: [front]" in block(COMPOSE, "services", "proxy")
    assert "internal: true" in block(COMPOSE, "networks", "back")


def test_the_store_keeps_what_was_acknowledged() -> None:
    """Every write is synced to the disk, on a named volume, and nothing is evicted."""
    store = block(COMPOSE, "services", "store")
    for words in ("--appendonly yes", "--appendfsync always", "--maxmemory-policy noeviction", "--dir /data"):
        assert words in store
    assert "- store:/data\n" in store
    assert block(COMPOSE, "volumes", "store") == "\n"


@pytest.mark.parametrize("name", SERVICES)
def test_every_service_is_confined_and_comes_back(name: str) -> None:
    """Each has a read-only root, no unneeded capabilities, no new privileges, and is restarted."""
    assert services() == list(SERVICES)
    body = block(COMPOSE, "services", name)
    if name.startswith("server-"):
        assert re.sub(r" *build:.*", "", body).strip() == "<<: *server"
        body = block(COMPOSE, "x-server")
    assert "<<: *careful" in body
    careful = block(COMPOSE, "x-careful")
    for words in (
        "restart: unless-stopped",
        "read_only: true",
        "cap_drop: [ALL]",
        '["no-new-privileges:true"]',
    ):
        assert words in careful
    assert "stop_grace_period:" in body


def test_a_server_stops_within_its_grace_period() -> None:
    """Finishing commits, draining and finishing commits again take less than the grace period."""
    grace = re.search(r"stop_grace_period: (\d+)s", block(COMPOSE, "x-server"))
    assert grace
    assert Config().drain_seconds + MOST_COMMIT_SECONDS < int(grace[1])


def test_every_variable_of_a_server_is_one_of_its_options() -> None:
    """The compose file and the image set only variables that simonrace-server reads."""
    of_servers = set(re.findall(r"^    (SIMONRACE_\w+):", block(COMPOSE, "x-server", "environment"), re.M))
    of_image = set(re.findall(r"(SIMONRACE_\w+)=", DOCKERFILE))
    assert len(OPTIONS) > len(OF_THE_IMAGE)
    assert of_image <= OPTIONS
    assert of_servers == OPTIONS - OF_THE_IMAGE


def test_a_variable_reaches_the_server_under_its_own_name() -> None:
    """A default of the compose file can be overridden by the variable of the same name."""
    body = block(COMPOSE, "x-server", "environment")
    for name, value in re.findall(r"^    (SIMONRACE_\w+): (.+)", body, re.M):
        assert name in {"SIMONRACE_REDIS", "SIMONRACE_METRICS_HOST"} or value.startswith(f"${{{name}:-")


def test_the_proxy_checks_whether_each_server_is_ready() -> None:
    """All servers of the compose file are behind the proxy, which checks their /readyz."""
    servers = {name for name in services() if name.startswith("server-")}
    listed = re.search(r"SERVERS: \$\{SIMONRACE_SERVERS:-(.*)\}", block(COMPOSE, "services", "proxy"))
    assert listed
    assert set(listed[1].split()) == {f"{name}:{Config().port}" for name in servers}
    assert "health_uri /readyz" in CADDYFILE
    used = set(re.findall(r"\{\$(\w+)\}", CADDYFILE))
    given = set(re.findall(r"^      ([A-Z]+):", block(COMPOSE, "services", "proxy", "environment"), re.M))
    assert used == {"SITE", "SERVERS"}
    assert used <= given


def test_the_page_for_hosts_has_every_setting() -> None:
    """The table of docs/hosting.md has exactly the variables that the compose files take."""
    table = set(re.findall(r"^\| `(SIMONRACE_\w+)` \|", PAGE, re.M))
    fixed = {"SIMONRACE_REDIS", "SIMONRACE_METRICS_HOST"}
    assert set(re.findall(r"\$\{(SIMONRACE_\w+)", COMPOSE + DOMAIN)) <= table
    assert table == (OPTIONS - OF_THE_IMAGE - fixed) | OF_COMPOSE


def test_the_page_for_hosts_names_the_defaults_of_the_server() -> None:
    """A variable that the compose file passes through has the default of the server."""
    defaults = {
        f"SIMONRACE_{field.name.upper()}": shown(getattr(Config(), field.name)) for field in fields(Config)
    }
    left = re.findall(r"^    (SIMONRACE_\w+):$", block(COMPOSE, "x-server", "environment"), re.M)
    stated = dict(re.findall(r"^\| `(SIMONRACE_\w+)` \| `?(.*?)`? \|", PAGE, re.M))
    of_the_image = {"SIMONRACE_LOG_FORMAT": "json"}
    assert {name: stated[name] for name in left} == {name: (defaults | of_the_image)[name] for name in left}


def test_images_are_named_in_full_and_with_a_version() -> None:
    """No engine guesses a registry or pulls the newest version."""
    named = re.findall(r"^FROM (\S+)", DOCKERFILE, re.M) + re.findall(r"image: (\S+)", COMPOSE)
    ours = [name for name in named if "/" not in name]
    assert set(ours) == {"simonrace-server"}
    assert [
        name for name in named if name not in ours and not re.fullmatch(r"docker\.io/\S+:v?\d\S*", name)
    ] == []


def test_the_image_is_built_by_one_service() -> None:
    """A build for each service makes an image for each, and all except the last lose their name.

    Compose then takes the servers for changed when the upgrade is over, and recreates all at once. The
    others may not pull: an image of that name in a registry is not ours.
    """
    building = [name for name in services() if "build:" in block(COMPOSE, "services", name)]
    assert building == ["server-a"]
    assert "build:" not in block(COMPOSE, "x-server")
    assert "\n  image: simonrace-server\n  pull_policy: never" in block(COMPOSE, "x-server")


@pytest.mark.parametrize("name", SERVICES)
def test_a_new_mounted_file_changes_a_label(name: str) -> None:
    """`docker compose up -d` recreates a container if its labels differ, not if a mounted file is another."""
    body = block(COMPOSE, "services", name)
    mounted = [ROOT / path for path in re.findall(r"- \./(\S+?):", body)]
    label = re.findall(r'simonrace\.files: "(\w+)"', body)
    assert label == ([digest(mounted)] if mounted else []), f"write {digest(mounted)} into docker-compose.yml"


def test_all_that_is_mounted_from_this_folder_has_a_label() -> None:
    mounting = {name for name in services() if "- ./" in block(COMPOSE, "services", name)}
    assert mounting == {"proxy", "prometheus", "grafana"}
    assert "- ./" not in block(COMPOSE, "x-server") + DOMAIN
