"""A small runner of composite actions: inputs become variables, steps become processes, as GitHub's runner does it."""

import re
from typing import NamedTuple

import yaml
from ci_repository import ROOT

EXPRESSION = re.compile(r"\$\{\{\s*(\S+)\s*\}\}")


class Ran(NamedTuple):
    status: int
    summary: str
    outputs: dict
    said: str


def load():
    return yaml.safe_load((ROOT / "action.yml").read_text())


def run_action(repository, inputs, *, leave_out=(), **more):
    """Run the steps one after the other until one fails."""
    action = load()
    values = {name: spec.get("default", "") for name, spec in action["inputs"].items()} | inputs
    assert set(inputs) <= set(action["inputs"])
    files = {name: repository.folder.parent / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    for file in files.values():
        file.write_text("")
    environment = {name: str(file) for name, file in files.items()} | {"GITHUB_ACTION_PATH": str(ROOT)} | more
    status, said = 0, ""
    for step in action["runs"]["steps"]:
        if step["name"] in leave_out:
            continue
        own = {
            name: EXPRESSION.sub(lambda at: values[at[1].removeprefix("inputs.")], text)
            for name, text in step.get("env", {}).items()
        }
        done = repository.run(
            "bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"], **environment, **own
        )
        status, said = done.returncode, said + done.stdout + done.stderr
        if status:
            break
    outputs = dict(line.split("=", 1) for line in files["GITHUB_OUTPUT"].read_text().splitlines())
    return Ran(status, files["GITHUB_STEP_SUMMARY"].read_text(), outputs, said)
