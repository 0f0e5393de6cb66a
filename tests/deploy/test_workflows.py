"""Structure of the workflows of GitHub Actions, which cannot be run here."""

import re
import tomllib
from pathlib import Path
from typing import Any, Final

import pytest
import yaml  # type: ignore[import-untyped]  # it has no types

ROOT: Final = Path(__file__).parents[2]
FOLDER: Final = ROOT / ".github" / "workflows"
PROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

WORKFLOW_KEYS: Final = {"name", "on", "permissions", "concurrency", "env", "defaults", "jobs"}
JOB_KEYS: Final = {
    *("name", "needs", "runs-on", "permissions", "if", "strategy", "steps", "uses", "with", "outputs", "env"),
    *("timeout-minutes", "services", "container", "concurrency", "continue-on-error", "secrets"),
}
STEP_KEYS: Final = {
    *("id", "if", "name", "uses", "run", "shell", "with", "env", "working-directory"),
    *("continue-on-error", "timeout-minutes"),
}
PERMISSIONS: Final = {"contents", "packages"}
CONTEXTS: Final = {"github", "matrix", "steps"}
"""Contexts that our expressions use; the schema has more."""


def load(name: str) -> dict[str, Any]:
    """Read a workflow; a plain `on` is the boolean true in YAML 1.1."""
    text = (FOLDER / name).read_text(encoding="utf-8")
    loaded: dict[str, Any] = yaml.safe_load(re.sub(r"^on:", '"on":', text, flags=re.M))
    return loaded


NAMES: Final = sorted(path.name for path in FOLDER.iterdir())
CI: Final = load("ci.yml")
RELEASE: Final = load("release.yml")
each_workflow = pytest.mark.parametrize("name", NAMES)


def steps(workflow: dict[str, Any]) -> list[dict[str, Any]]:
    return [step for job in workflow["jobs"].values() for step in job.get("steps", [])]


def commands(workflow: dict[str, Any]) -> str:
    return "\n".join(step["run"] for step in steps(workflow) if "run" in step)


def test_there_is_one_workflow_for_changes_and_one_for_releases() -> None:
    assert NAMES == ["ci.yml", "release.yml"]


@each_workflow
def test_a_workflow_has_the_keys_of_the_schema(name: str) -> None:
    """Each job runs steps on a machine or calls a workflow of ours; each step runs a command or an action."""
    workflow = load(name)
    assert workflow.keys() <= WORKFLOW_KEYS
    assert {"name", "on", "permissions", "jobs"} <= workflow.keys()
    for job in workflow["jobs"].values():
        assert job.keys() <= JOB_KEYS
        assert ("uses" in job) != ("steps" in job and "runs-on" in job)
        assert "uses" in job or isinstance(job["timeout-minutes"], int)
        needs = job.get("needs", [])
        assert {needs} if isinstance(needs, str) else set(needs) <= workflow["jobs"].keys()
        if "uses" in job:
            assert (ROOT / job["uses"]).exists()
            assert "workflow_call" in load(Path(job["uses"]).name)["on"]
    for step in steps(workflow):
        assert step.keys() <= STEP_KEYS
        assert ("uses" in step) != ("run" in step)
        assert "with" not in step or "uses" in step


@each_workflow
def test_an_action_is_named_with_its_major_version(name: str) -> None:
    used = [step["uses"] for step in steps(load(name)) if "uses" in step]
    assert [each for each in used if not re.fullmatch(r"[\w-]+/[\w-]+@v\d+", each)] == []


@each_workflow
def test_an_expression_names_what_exists(name: str) -> None:
    workflow = load(name)
    for job in workflow["jobs"].values():
        matrix = job.get("strategy", {}).get("matrix", {})
        ids = {step["id"] for step in job.get("steps", []) if "id" in step}
        for context, key in re.findall(r"\$\{\{ (\w+)\.(\w+)", str(job)):
            assert context in CONTEXTS
            assert context != "matrix" or key in matrix
            assert context != "steps" or key in ids


@each_workflow
def test_a_job_may_write_only_what_it_must(name: str) -> None:
    """The token of a workflow reads; a job of the release may write the release or the image."""
    workflow = load(name)
    assert workflow["permissions"] == {"contents": "read"}
    writing = {}
    for job, body in workflow["jobs"].items():
        granted = body.get("permissions", {})
        assert granted.keys() <= PERMISSIONS
        writing[job] = [scope for scope, access in granted.items() if access == "write"]
    allowed = {"wheel": ["contents"], "image": ["packages"]} if name == "release.yml" else {}
    assert {job: scopes for job, scopes in writing.items() if scopes} == allowed


@each_workflow
def test_no_text_of_strangers_gets_into_a_command(name: str) -> None:
    """An expression inside a command is replaced before the shell reads it; variables are not."""
    assert "${{" not in commands(load(name))


def test_the_tests_run_on_each_supported_python() -> None:
    named = [each.rpartition(" ")[2] for each in PROJECT["classifiers"] if "Python :: 3." in each]
    job = CI["jobs"]["test"]
    assert job["strategy"]["matrix"]["python"] == named
    assert "bash .ci/run" in commands(CI)
    assert {"push", "pull_request", "workflow_call"} == CI["on"].keys()


def test_the_whole_compose_file_is_started() -> None:
    assert "docker compose --profile monitoring up -d --wait" in commands(CI)


def test_a_release_is_tested_and_has_wheel_image_and_bill_of_materials() -> None:
    jobs = RELEASE["jobs"]
    assert all(jobs[name]["needs"] == "test" for name in ("wheel", "image"))
    (build,) = (
        step for step in steps(RELEASE) if step.get("uses", "").startswith("docker/build-push-action")
    )
    assert build["with"]["platforms"] == "linux/amd64,linux/arm64"
    assert (build["with"]["sbom"], build["with"]["push"]) == (True, True)
    assert "pipx install" in commands(RELEASE)
    assert 'test "$GITHUB_REF_NAME" = "v$version"' in commands(RELEASE)
    assert RELEASE["on"]["push"] == {"tags": ["v[0-9]+.[0-9]+.[0-9]+"]}
