"""Ordinary days of a developer's agent, as real hook events of Claude Code (`work_days.py`).

Each session is played twice: without a skill, and with one whose manifest `remit init` drafted and a person trusted. Whoever is asked
agrees, edits are made, and each call is then reported as done. What was asked is asked again at the end: an answer must have been kept.
Claude Code alone asks about no edit that its user accepts as a rule, but for those in its protected folders: of the rest, questions of
the guard come on top. Status 1 if a day with skills asks more than 4 times, or denies more than one call, or the other asks at all.

    python bench/ordinary_day.py [-v]
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from remit.guard.engine import Engine
from remit.guard.event import Outcome
from remit.guard.hosts.claude_code import ClaudeCode
from remit.guard.state_folder import prepared
from remit.guard.store import trust_file
from work_days import DAYS, Day, Done, Skill

MOST_ASKED, MOST_DENIED = 4, 1
EDITS = ("Write", "Edit", "NotebookEdit")
HOST_PROTECTS = (".git", ".claude", ".vscode", ".idea", ".husky")


class Session:
    """A repository, a guard and one session of Claude Code in it."""

    def __init__(self, base: Path, repository: str, files: dict[str, str], skill: Skill | None, prompt: str) -> None:
        self.home, self.root = base / "home", base / "home" / "code" / repository
        (self.home / "Documents").mkdir(parents=True)
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        for words in (["init", "-q", "-b", "main"], ["add", "-A"], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "first"], ["remote", "add", "origin", "https://github.com/acme/shop.git"]):  # fmt: skip
            subprocess.run(["git", "-C", str(self.root), *words], check=True, capture_output=True)
        self.engine = Engine(prepared(base / "state"), home=self.home)
        self.host = ClaudeCode()
        self.calls = 0
        self.event("SessionStart", {})
        self.event("UserPromptSubmit", {"prompt": prompt})
        if skill is not None:
            self._load(skill)

    def _load(self, skill: Skill) -> None:
        folder = self.root / ".claude" / "skills" / skill.name
        (folder / "scripts").mkdir(parents=True)
        (folder / "SKILL.md").write_text(skill.text)
        (folder / "scripts" / skill.script).write_text(skill.code)
        words = [sys.executable, "-m", "remit.cli", "init", "--quiet", str(folder)]
        subprocess.run(words, check=True, capture_output=True)
        path = folder / "remit.json"
        digest = "sha256:" + hashlib.sha256(path.read_bytes()).hexdigest()
        trust_file(self.engine.sessions.store, str(path), digest, now=1)
        verdict = self.call(Done("skill", "Skill", {"skill": skill.name}))
        if verdict.outcome is not Outcome.PASS:
            raise SystemExit(f"the skill is not loaded: {verdict.reason}")

    def event(self, name: str, fields: dict[str, Any]) -> Any:
        """The verdict on one event."""
        payload = {"session_id": "day", "cwd": str(self.root), "hook_event_name": name, **fields}
        return self.engine.decide(self.host.read(f"{name}.cli" if name == "PreToolUse" else name, payload))

    def call(self, done: Done) -> Any:
        """Ask; whoever is asked agrees, and what is not denied is done."""
        self.calls += 1
        args = dict(done.args)
        for name in ("file_path", "path", "notebook_path"):
            if name in args:
                args[name] = str(self.root / args[name])
        fields = {"tool_name": done.tool, "tool_input": args, "tool_use_id": f"c{self.calls}"}
        verdict = self.event("PreToolUse", fields)
        if verdict.outcome is not Outcome.DENY:
            _edit(done.tool, args)
            self.event("PostToolUse", {**fields, "tool_response": {"stdout": "ok"}})
        return verdict


def _edit(tool: str, args: dict[str, Any]) -> None:
    path = Path(args.get("file_path", ""))
    if tool == "Write":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(args["content"])
    elif tool == "Edit":
        path.write_text(path.read_text().replace(args["old_string"], args["new_string"], 1))


class Played(NamedTuple):
    """How a day went: the outcomes of each kind of call, what was said of those that did not pass, and what should not have been asked."""

    found: Counter[tuple[str, Outcome]]
    said: tuple[str, ...]
    twice: int
    on_top: int  # questions about edits that the host would not ask about

    def count(self, outcome: Outcome) -> int:
        """How many calls came to this outcome."""
        return sum(number for (_, one), number in self.found.items() if one is outcome)

    @property
    def line(self) -> str:
        counts = ", ".join(f"{outcome} {self.count(outcome)}" for outcome in Outcome)
        return f"{sum(self.found.values())} calls: {counts}; asked twice {self.twice}, beyond the host {self.on_top}"


def play(day: Day, *, with_skills: bool = True) -> Played:
    """Play the sessions of a day."""
    found: Counter[tuple[str, Outcome]] = Counter()
    said = []
    twice = on_top = 0
    for repository, calls in day.calls.items():
        with tempfile.TemporaryDirectory() as folder:
            skill = day.skills[repository] if with_skills else None
            session = Session(Path(folder).resolve(), repository, day.files[repository], skill, day.prompts[repository])
            asked = []
            for done in calls:
                verdict = session.call(done)
                found[done.kind, verdict.outcome] += 1
                asked += [done] if verdict.outcome is Outcome.ASK else []
                if verdict.outcome is not Outcome.PASS:
                    said.append(f"{repository}: {verdict.outcome}: {next(iter(done.args.values()))}: {verdict.reason}")
            on_top += sum(_accepted_by_the_host(done) for done in asked)
            twice += sum(session.call(done).outcome is Outcome.ASK for done in asked if done.tool != "Edit")
            session.engine.close()
    return Played(found, tuple(said), twice, on_top)


def _accepted_by_the_host(done: Done) -> bool:
    path = done.args.get("file_path", done.args.get("notebook_path", ""))
    return done.tool in EDITS and not any(part in HOST_PROTECTS for part in Path(path).parts)


def main() -> int:
    """Print the days; status 1 if one asks or denies too much."""
    failed = False
    for name, day in DAYS.items():
        for with_skills in (False, True):
            played = play(day, with_skills=with_skills)
            print(f"{name}, {'with skills' if with_skills else 'no skill'}: {played.line}")
            if with_skills:
                print("\n".join(f"  {line}" for line in played.said))
            if "-v" in sys.argv[1:]:
                for kind in dict.fromkeys(kind for kind, _ in played.found):
                    print(f"  {kind:10} " + " / ".join(str(played.found[kind, outcome]) for outcome in Outcome))
            most_asked, most_denied = (MOST_ASKED, MOST_DENIED) if with_skills else (0, 0)
            failed |= played.count(Outcome.ASK) > most_asked or played.count(Outcome.DENY) > most_denied
            failed |= bool(played.twice)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
