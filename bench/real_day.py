"""A day with the real Claude Code: one session of ordinary calls in a small repository, with the guard and without it.

The model is scripted; the host, its tools and its permission rules are real, in the default permission mode. Nobody answers, so that a call
that the host or the guard would ask about is refused with its reason: these are counted. With the guard there must be no more than
with the host alone.

    python bench/real_day.py [-v]
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests/hosts"))

from claude_runs import Claude  # noqa: E402
from host_packages import CLAUDE_CODE, installed  # noqa: E402
from scripted_model import Turn, call, say  # noqa: E402

from work_days import NOTES  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Sequence

    from claude_runs import Run

NAME = "release-notes"
SECONDS = 400
# how this version of the host refuses what it would ask a person about
HOST_ASKS = ("requires approval", "require approval", "haven't granted", "was blocked", "evaluates arguments")
FILES = {
    "README.md": "# Shop\n\nTODO: describe it.\n",
    "CLAUDE.md": "Use spaces.\n",
    ".env": "API_KEY=abcdefghij0123456789\n",
    ".gitignore": "node_modules\nbuild\n__pycache__\n",
    "package.json": '{"name": "shop", "version": "1.0.0", "scripts": {"test": "node test.js", "build": "node build.js"}}\n',
    "test.js": "console.log('ok')\n",
    "build.js": "require('fs').mkdirSync('build', {recursive: true})\n",
    "web/app.js": "export const tax = 0.19\n",
    "shop/__init__.py": "",
    "shop/prices.py": "def total(a, b):\n    return a + b  # TODO: taxes\n",
    "test_prices.py": "from shop.prices import total\n\n\ndef test_total():\n    assert total(1, 2) == 3\n",
}
COMMANDS = (
    "git status", "git diff", "git log --oneline -5", "ls -la", "cat package.json", "find . -name '*.py'", "grep -rn TODO .",
    "wc -l shop/prices.py", "pytest -q", "npm test", "npm run build", "node --version", "mkdir -p docs && cp README.md docs/",
    "git add -A", "git commit -q -m 'Add taxes'", "git switch -c taxes", "git branch", "git show --stat HEAD", "git stash list",
    "pytest -q test_more.py", "rm -rf build", "sed -n 1,5p README.md", "python3 -c 'print(1 + 1)'", "git tag v1",
    "git push origin taxes",
)  # fmt: skip


class Day(NamedTuple):
    """How one session went: what was refused, by whom."""

    calls: int
    host: tuple[str, ...]  # what the host would ask a person about
    guard: tuple[str, ...]  # what the guard would, or denies
    failed: tuple[str, ...]  # what ran and failed


def turns(work: Path, *, skill: bool) -> list[Turn]:
    """The session. Files are read before they are changed, as the host demands."""

    def path(name: str) -> str:
        return str(work / name)

    commands = [call("Bash", command=one, description="x") for one in COMMANDS]
    before = [call("Skill", skill=NAME)] if skill else []
    after = (
        [call("Bash", command=f"python3 .claude/skills/{NAME}/scripts/collect.py", description="x")] if skill else []
    )
    return [
        *before,
        call("Read", file_path=path("README.md")),
        call("Read", file_path=path("shop/prices.py")),
        call("Read", file_path=path("package.json")),
        call("Read", file_path=path("test_prices.py")),
        call("Edit", file_path=path("shop/prices.py"), old_string="  # TODO: taxes", new_string=""),
        call("Write", file_path=path("test_more.py"), content="def test_more():\n    assert True\n"),
        call("Read", file_path=path("web/app.js")),
        call("Edit", file_path=path("web/app.js"), old_string="0.19", new_string="0.2"),
        call("Agent", description="look", prompt="look-at-tests", subagent_type="general-purpose"),
        *commands,
        *after,
        say("done"),
    ]


def run_day(program: Path, *, guard: bool, skill: bool, manifest: bool = False) -> Day:
    """One session in a new home and repository."""
    with tempfile.TemporaryDirectory() as scratch:
        claude = Claude(program, Path(scratch))
        for name in ("home", "work", "hook"):
            (claude.scratch / name).mkdir()
        _repository(claude.work, claude.scratch)
        if skill:
            folder = claude.work / ".claude/skills" / NAME
            (folder / "scripts").mkdir(parents=True)
            (folder / "SKILL.md").write_text(NOTES.text)
            (folder / "scripts/collect.py").write_text(NOTES.code)
        state = claude.scratch / "state"
        if guard:
            _remit(claude, state, "guard", "install", "claude-code")
            if manifest:
                _remit(claude, state, "init", ".claude/skills/" + NAME, "--quiet")
                _remit(claude, state, "guard", "trust", "--unattended", ".claude/skills/" + NAME)
        agents = {
            "look-at-tests": [call("Bash", command="grep -n assert test_prices.py", description="x"), say("one test")]
        }
        try:
            return _day(
                claude.run(turns(claude.work, skill=skill), {}, prompt="Add taxes.", agents=agents, seconds=SECONDS)
            )
        finally:
            if guard:
                _remit(claude, state, "guard", "stop", "--unattended")


def _day(run: Run) -> Day:
    results = run.model.results()
    refused = [text[:200] for failed, text in results if failed]
    guard = tuple(text for text in refused if "remit: " in text)
    host = tuple(text for text in refused if text not in guard and any(word in text for word in HOST_ASKS))
    return Day(len(results), host, guard, tuple(text for text in refused if text not in {*guard, *host}))


def _repository(work: Path, scratch: Path) -> None:
    for name, text in FILES.items():
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        (work / name).write_text(text)
    _git(scratch, "init", "-q", "--bare", "-b", "main", "origin.git")
    for words in (("init", "-q", "-b", "main"), ("config", "user.name", "a"), ("config", "user.email", "a@example.org"),
                  ("remote", "add", "origin", str(scratch / "origin.git")), ("add", "."), ("commit", "-q", "-m", "Begin")):  # fmt: skip
        _git(work, *words)


def _git(folder: Path, *words: str) -> None:
    subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True)


def _remit(claude: Claude, state: Path, *words: str) -> str:
    environ = {**os.environ, "HOME": str(claude.home), "REMIT_STATE": str(state), "PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, "-m", "remit.cli", *words]
    done = subprocess.run(command, cwd=claude.work, env=environ, capture_output=True, text=True, check=False)
    if done.returncode > 1:
        raise SystemExit(f"{' '.join(words)}: {done.stderr}")
    return done.stdout


def main(argv: Sequence[str]) -> int:
    """Run the sessions, print the table; status 1 if more is asked or denied with the guard than by the host alone."""
    os.environ["PATH"] = f"{Path(sys.executable).parent}:{os.environ['PATH']}"  # there is pytest
    program = installed(CLAUDE_CODE, "claude")
    print(f"{'':44}{'calls':>7}{'host':>7}{'guard':>7}{'failed':>8}")
    worse = []
    for skill in (False, True):
        alone = run_day(program, guard=False, skill=skill)
        shown = "a skill" if skill else "no skill"
        _print(f"{shown}, the host alone", alone, argv)
        for manifest in (True, False) if skill else (False,):
            name = f"{shown}, with the guard" + (f", {'a' if manifest else 'no'} trusted manifest" if skill else "")
            day = run_day(program, guard=True, skill=skill, manifest=manifest)
            _print(name, day, argv)
            if len(day.host) + len(day.guard) > len(alone.host):
                worse.append(name)
    print(f"more than the host alone: {'; '.join(worse) or 'never'}")
    return 1 if worse else 0


def _print(name: str, day: Day, argv: Sequence[str]) -> None:
    print(f"{name:44}{day.calls:>7}{len(day.host):>7}{len(day.guard):>7}{len(day.failed):>8}", flush=True)
    for line in (*day.host, *day.guard, *(f"failed: {one}" for one in day.failed)) if "-v" in argv else ():
        print(f"    {line!r}")


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
