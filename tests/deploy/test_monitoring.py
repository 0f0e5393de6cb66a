"""Monitoring: Prometheus' configuration, the alerts, and Grafana's dashboard."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest
import yaml  # type: ignore[import-untyped]  # it has no types

from server.config import Config
from server.metrics import Metrics, Sources
from server.rooms.counters import RoomCounters
from server.store.journal import Journal
from server.store.memory import MemoryStore
from server.transport import TransportStats

ROOT: Final = Path(__file__).parents[2]
MONITORING: Final = ROOT / "deploy" / "monitoring"
PROMETHEUS: Final[dict[str, Any]] = yaml.safe_load(
    (MONITORING / "prometheus" / "prometheus.yml").read_text(encoding="utf-8")
)
RULES: Final[list[dict[str, Any]]] = [
    rule
    for group in yaml.safe_load((MONITORING / "prometheus" / "alerts.yml").read_text(encoding="utf-8"))[
        "groups"
    ]
    for rule in group["rules"]
]
DASHBOARD: Final[dict[str, Any]] = json.loads(
    (MONITORING / "grafana" / "dashboards" / "simonrace.json").read_text(encoding="utf-8")
)
COMPOSE: Final[dict[str, Any]] = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
PAGE: Final = (ROOT / "docs" / "monitoring.md").read_text(encoding="utf-8")
ALERTS_TEST: Final = Path(__file__).with_name("alerts.test.yml")


def expressions() -> list[str]:
    return [rule["expr"] for rule in RULES] + [
        target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"]
    ]


async def exported() -> dict[str, set[str]]:
    """Return the samples that a server exports, each with the names of its labels."""
    metrics = Metrics()
    journal = Journal(MemoryStore(lambda: 0))
    stats = TransportStats()
    metrics.read_from(
        Sources("0", stats, RoomCounters(), journal, {"x": 1}, lambda: 0.0, lambda: 0),
    )
    await journal.aclose()
    return {
        sample.name: set(sample.labels) for family in metrics.registry.collect() for sample in family.samples
    }


async def test_every_metric_of_an_alert_or_a_panel_is_exported_with_its_labels() -> None:
    """A metric that is renamed in server/metrics.py would leave an alert that never fires."""
    known = await exported()
    used: set[str] = set()
    for expression in expressions():
        names = set(re.findall(r"\bsimonrace_\w+", expression))
        used |= names
        labels = {
            label.strip()
            for inside in re.findall(r"by \(([^)]*)\)", expression)
            for label in inside.split(",")
        } - {"instance", "le"}
        assert names <= known.keys(), expression
        assert all(labels <= known[name] for name in names), expression
    assert len(used) > 15


def test_prometheus_asks_each_server_of_the_compose_file() -> None:
    servers = [name for name in COMPOSE["services"] if name.startswith("server-")]
    port = re.search(r":-(\d+)\}", COMPOSE["x-server"]["environment"]["SIMONRACE_METRICS_PORT"])
    assert port
    (job,) = PROMETHEUS["scrape_configs"]
    targets = [target for each in job["static_configs"] for target in each["targets"]]
    assert targets == [f"{name}:{port[1]}" for name in servers]
    assert Config().metrics_port is None, "without Compose there are no metrics by default"
    assert "front" in COMPOSE["x-server"]["networks"]
    assert "front" in COMPOSE["services"]["prometheus"]["networks"]


def test_the_page_on_monitoring_says_what_to_do_about_each_alert() -> None:
    assert re.findall(r"^\| `([A-Z]\w+)` \|", PAGE, re.M) == [rule["alert"] for rule in RULES]


def test_an_alert_has_a_severity_and_a_sentence() -> None:
    for rule in RULES:
        assert rule["labels"]["severity"] in ("warning", "critical"), rule
        assert rule["annotations"]["summary"].endswith("."), rule


def test_the_dashboard_reads_the_provisioned_data_source() -> None:
    """Panels have ids of their own, do not overlap, and stay inside Grafana's 24 columns."""
    provisioned = yaml.safe_load(
        (MONITORING / "grafana" / "datasources" / "prometheus.yml").read_text(encoding="utf-8")
    )
    (source,) = provisioned["datasources"]
    assert source["url"] == "http://prometheus:9090"
    taken: set[tuple[int, int]] = set()
    for panel in DASHBOARD["panels"]:
        where = panel["gridPos"]
        cells = {
            (x, y)
            for x in range(where["x"], where["x"] + where["w"])
            for y in range(where["y"], where["y"] + where["h"])
        }
        assert where["x"] + where["w"] <= 24
        assert not cells & taken, panel["title"]
        taken |= cells
        assert {panel["datasource"]["uid"], *(each["datasource"]["uid"] for each in panel["targets"])} == {
            source["uid"]
        }
        assert panel["type"] in ("stat", "timeseries")
    assert len({panel["id"] for panel in DASHBOARD["panels"]}) == len(DASHBOARD["panels"])


def test_the_dashboard_is_where_grafana_looks_for_it() -> None:
    grafana = COMPOSE["services"]["grafana"]
    mounted = "./deploy/monitoring/grafana:/etc/grafana/provisioning:ro,z"
    assert mounted in grafana["volumes"]
    home = grafana["environment"]["GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH"]
    provider = yaml.safe_load(
        (MONITORING / "grafana" / "dashboards" / "simonrace.yml").read_text(encoding="utf-8")
    )
    folder = provider["providers"][0]["options"]["path"]
    assert home == f"{folder}/simonrace.json"
    assert (MONITORING / "grafana" / home.removeprefix("/etc/grafana/provisioning/")).exists()


def test_grafana_has_no_administrator_and_is_published_to_this_machine_alone() -> None:
    """Its default administrator has the password `admin`."""
    grafana = COMPOSE["services"]["grafana"]
    assert grafana["environment"]["GF_SECURITY_DISABLE_INITIAL_ADMIN_CREATION"] == "true"
    assert grafana["environment"]["GF_AUTH_ANONYMOUS_ORG_ROLE"] == "Viewer"
    assert grafana["ports"] == ["127.0.0.1:${SIMONRACE_GRAFANA_PORT:-3000}:3000"]
    assert "front" not in grafana["networks"]


def test_monitoring_is_started_on_request_only() -> None:
    with_profile = {name for name, each in COMPOSE["services"].items() if "profiles" in each}
    assert with_profile == {"prometheus", "grafana"}
    assert all(COMPOSE["services"][name]["profiles"] == ["monitoring"] for name in with_profile)


@pytest.mark.skipif(not shutil.which("promtool"), reason="promtool is not installed (Debian: prometheus)")
@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "config", str(MONITORING / "prometheus" / "prometheus.yml")],
        ["check", "rules", str(MONITORING / "prometheus" / "alerts.yml")],
        ["test", "rules", str(ALERTS_TEST)],
    ],
    ids=lambda arguments: " ".join(arguments[:2]),
)
def test_promtool_accepts_the_configuration_and_the_alerts_fire(arguments: list[str]) -> None:
    """alerts.test.yml has the series at which each alert fires, and those at which it does not."""
    done = subprocess.run(["promtool", *arguments], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_each_alert_is_seen_to_fire_and_to_be_silent() -> None:
    cases = yaml.safe_load(ALERTS_TEST.read_text(encoding="utf-8"))["tests"]
    tested = [case for each in cases for case in each["alert_rule_test"]]
    names = {rule["alert"] for rule in RULES}
    assert {case["alertname"] for case in tested if case.get("exp_alerts")} == names
    assert {case["alertname"] for case in tested if not case.get("exp_alerts")} == names
