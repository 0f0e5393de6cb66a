"""The frozen files of the wire, and one test case for each of their entries."""

import json
from pathlib import Path
from typing import Any

import pytest

from protocol.docs import vectors

WIRE = Path(__file__).parents[1] / "data" / "wire"
CLIENT_VECTORS = vectors.read((WIRE / "from_client.json").read_text(encoding="utf-8"))
SERVER_VECTORS = vectors.read((WIRE / "from_server.json").read_text(encoding="utf-8"))
BAD_INPUTS: list[dict[str, str]] = json.loads((WIRE / "bad_input.json").read_text(encoding="utf-8"))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that takes an entry of a file once for each entry."""
    sources: dict[str, tuple[list[Any], list[str]]] = {
        "client_vector": (CLIENT_VECTORS, [f"{each.type}: {each.case}" for each in CLIENT_VECTORS]),
        "server_vector": (SERVER_VECTORS, [f"{each.type}: {each.case}" for each in SERVER_VECTORS]),
        "bad_input": (BAD_INPUTS, [f"{each['encoding']}: {each['what']}" for each in BAD_INPUTS]),
    }
    for name, (entries, ids) in sources.items():
        if name in metafunc.fixturenames:
            metafunc.parametrize(name, entries, ids=ids)


@pytest.fixture(scope="session")
def client_vectors() -> list[vectors.Vector]:
    """All examples of messages from clients."""
    return CLIENT_VECTORS


@pytest.fixture(scope="session")
def server_vectors() -> list[vectors.Vector]:
    """All examples of messages from servers."""
    return SERVER_VECTORS
