"""Runs of the real Codex, Gemini, Copilot and opencode: a home and a workspace of their own, a scripted model, hooks of the test's choice."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from scripted_wires import Scripted, Wires, wires

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

STAND_IN = Path(__file__).with_name("stand_in_hook.py")
NOWHERE = "http://127.0.0.1:9"  # nothing leaves this machine
SECONDS = 300


class Ran(NamedTuple):
    """What a run left behind."""

    status: int
    stdout: str
    stderr: str
    model: Wires
    log: list[dict[str, Any]]  # what the stand-in hook was told

    def told(self, event: str) -> list[dict[str, Any]]:
        """What the hook was told at one event."""
        return [entry for entry in self.log if entry["told_as"] == event]


class Place(NamedTuple):
    """A program, and a scratch folder with `home`, `work` and `hook` in it."""

    program: Path
    scratch: Path

    @property
    def home(self) -> Path:
        """The user's folder, with the settings of the host."""
        return self.scratch / "home"

    @property
    def work(self) -> Path:
        """The workspace."""
        return self.scratch / "work"

    @property
    def made(self) -> Path:
        """The file that scripted commands make: it is there if one ran."""
        return self.work / "made"

    def stand_in(self, event: str) -> str:
        """The command of a hook that is the stand-in."""
        return shlex.join([sys.executable, "-I", "-S", str(STAND_IN), str(self.scratch / "hook"), event])

    def answers(self, answers: Mapping[str, Any]) -> None:
        """What the stand-in answers, by event."""
        (self.scratch / "hook/answers.json").write_text(json.dumps(answers))

    def write(self, path: str, value: Any) -> None:
        """A file of the user's, JSON unless it is text."""
        file = self.home / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(value if isinstance(value, str) else json.dumps(value))

    def run(
        self, turns: Sequence[Scripted], words: Sequence[str], settings: Any, environment: Mapping[str, str]
    ) -> Ran:
        """One headless session. `settings` writes the endpoint down where the host looks for it; `URL` in a variable is the endpoint."""
        with wires(turns) as model:
            settings(model.url)
            done = subprocess.run(
                [self.program, *words],
                env={
                    "PATH": os.environ["PATH"], "HOME": str(self.home), "TERM": "dumb", "LANG": "C.UTF-8",
                    "HTTPS_PROXY": NOWHERE, "HTTP_PROXY": NOWHERE, "NO_PROXY": "127.0.0.1",
                    **{name: value.replace("URL", model.url) for name, value in environment.items()},
                },
                cwd=self.work, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS, check=False,
            )  # fmt: skip
        log = self.scratch / "hook/log.jsonl"
        told = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
        return Ran(done.returncode, done.stdout, done.stderr, model, told)


CODEX_CONFIG = """model = "m"
model_provider = "scripted"
[model_providers.scripted]
name = "scripted"
base_url = "URL/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
"""
GEMINI_AUTH = {"security": {"auth": {"selectedType": "gemini-api-key"}}}


def codex(place: Place, turns: Sequence[Scripted], *, trust_all: bool = True, config: str = CODEX_CONFIG) -> Ran:
    """`codex exec` with all approvals bypassed; hooks.json is the test's to write."""
    words = ["exec", "--skip-git-repo-check", "--json", "--dangerously-bypass-approvals-and-sandbox"]
    words += ["--dangerously-bypass-hook-trust"] * trust_all
    return place.run(
        turns,
        [*words, "hi"],
        lambda url: place.write(".codex/config.toml", config.replace("URL", url)),
        {"SCRIPTED_KEY": "x"},
    )


def gemini(place: Place, turns: Sequence[Scripted]) -> Ran:
    """`gemini` with all approvals bypassed; settings.json is the test's to write. A named model needs no other one to choose it."""
    words = ["--skip-trust", "--approval-mode", "yolo", "-m", "gemini-2.5-pro", "-o", "stream-json", "-p", "hi"]
    environment = {
        "GEMINI_API_KEY": "x",
        "GOOGLE_GEMINI_BASE_URL": "URL",
        "GEMINI_CLI_TRUST_WORKSPACE": "true",
        "GEMINI_CLI_NO_RELAUNCH": "true",  # it would start itself again, with more memory
    }
    return place.run(turns, words, lambda _: None, environment)


def copilot(place: Place, turns: Sequence[Scripted]) -> Ran:
    """`copilot` with all approvals bypassed; hooks are the test's to write."""
    environment = {
        "COPILOT_OFFLINE": "true", "COPILOT_PROVIDER_BASE_URL": "URL/v1", "COPILOT_PROVIDER_API_KEY": "x", "COPILOT_MODEL": "m",
    }  # fmt: skip
    return place.run(turns, ["-p", "hi", "--allow-all-tools"], lambda _: None, environment)


def opencode(place: Place, turns: Sequence[Scripted]) -> Ran:
    """`opencode run`; plugins are the test's to write. The endpoint is the registry too, and has no packages."""
    environment = {
        "npm_config_registry": "URL/", "HTTPS_PROXY": "URL", "HTTP_PROXY": "URL",
        "OPENCODE_DISABLE_MODELS_FETCH": "1", "OPENCODE_DISABLE_AUTOUPDATE": "1",
    }  # fmt: skip
    return place.run(turns, ["run", "--format", "json", "hi"], lambda url: _opencode_settings(place, url), environment)


def _opencode_settings(place: Place, url: str) -> None:
    options = {"baseURL": f"{url}/v1", "apiKey": "x"}
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "x",
        "options": options,
        "models": {"m": {"tool_call": True}},
    }
    settings = {
        "model": "x/m",
        "small_model": "x/m",
        "share": "disabled",
        "autoupdate": False,
        "provider": {"x": provider},
        "permission": {"*": "allow"},  # only the guard stands there, as in the bypass modes of others
    }
    (place.work / "opencode.json").write_text(json.dumps(settings))
