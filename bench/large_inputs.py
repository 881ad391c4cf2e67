"""How long the guard takes for inputs of 10 kB and 10 MB, through the engine, and what it decides.

A session with a skill whose manifest a person trusted. Each kind of input is judged once small and once large, after one that is not counted; a session
of its own each. Prints seconds, their ratio (about 1,000 is linear) and the outcome.

    python bench/large_inputs.py [BYTES]
"""

from __future__ import annotations

import hashlib
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from remit.guard.engine import Engine
from remit.guard.event import Event, Kind
from remit.guard.state_folder import prepared
from remit.guard.store import trust_file

if TYPE_CHECKING:
    from remit.guard.event import Verdict

SMALL = 10_000
LARGE = 10_000_000
SECRET = "API_KEY=abcdefghij0123456789\n"


class Session:
    """One session with a skill."""

    def __init__(self, folder: Path) -> None:
        self.root, home = folder / "project", folder / "home"
        skill = self.root / ".claude" / "skills" / "notes"
        skill.mkdir(parents=True)
        home.mkdir()
        (self.root / ".env").write_text(SECRET)
        (skill / "SKILL.md").write_text("---\nname: notes\ndescription: Writes notes.\n---\nWrites notes.\n")
        manifest = skill / "remit.json"
        manifest.write_text(json.dumps({"skill_metadata": {"name": "notes"}, "permissions": []}))
        self.engine = Engine(prepared(folder / "state"), home=home)
        digest = "sha256:" + hashlib.sha256(manifest.read_bytes()).hexdigest()
        trust_file(self.engine.sessions.store, str(manifest), digest, now=0)
        self.calls = 0
        self.tell(Kind.SESSION)
        self.tell(Kind.BEFORE, "Skill", {"skill": "notes"})
        self.tell(Kind.BEFORE, "Bash", {"command": "ls"})

    def tell(self, kind: Kind, tool: str = "", args: dict[str, Any] | None = None, **fields: Any) -> Verdict:
        """The verdict on one event."""
        self.calls += kind is Kind.BEFORE
        event = Event("claude-code", kind, str(kind), "s", str(self.root), tool, args or {}, f"c{self.calls}", **fields)
        return self.engine.decide(event)


def prose(size: int) -> str:
    """Words with addresses and values among them, a line each."""
    line = "A line of 80 characters, see https://docs.example.com/page or /srv/data/file.txt: {:07}\n"
    return "".join(map(line.format, range(size // len(line.format(0)) + 1)))[:size]


def script(size: int) -> str:
    """A script of many simple commands."""
    line = "echo line {:07} >> out.txt\n"
    return "".join(map(line.format, range(size // len(line.format(0)) + 1)))


def write(one: Session, size: int) -> Verdict:
    """A file that is written."""
    return one.tell(Kind.BEFORE, "Write", {"file_path": str(one.root / "a.txt"), "content": prose(size)}, asks=True)


def heredoc(one: Session, size: int) -> Verdict:
    """A text in a command."""
    return one.tell(Kind.BEFORE, "Bash", {"command": f"cat > a.txt <<'END'\n{prose(size)}\nEND\n"}, asks=True)


def commands(one: Session, size: int) -> Verdict:
    """Many commands in a call."""
    return one.tell(Kind.BEFORE, "Bash", {"command": script(size)}, asks=True)


def result(one: Session, size: int) -> Verdict:
    """A result in which a secret is masked."""
    args = {"command": "grep -rn KEY ."}
    one.tell(Kind.BEFORE, "Bash", args)
    text = prose(size) + SECRET
    return one.tell(Kind.AFTER, "Bash", args, text=text, result={"stdout": text})


def prompt(one: Session, size: int) -> Verdict:
    """A prompt."""
    return one.tell(Kind.PROMPT, text=prose(size))


def argument(one: Session, size: int) -> Verdict:
    """An argument of a tool of a server."""
    return one.tell(Kind.BEFORE, "mcp__store__put", {"rows": [prose(size)], "to": "ann@corp.example.org"}, asks=True)


def measured(kind: Any, size: int) -> tuple[float, Verdict]:
    """Seconds for an input of a kind, and the verdict."""
    with tempfile.TemporaryDirectory() as folder:
        one = Session(Path(folder))
        kind(one, 100)
        begun = time.perf_counter()
        verdict = kind(one, size)
        taken = time.perf_counter() - begun
        one.engine.close()
    return taken, verdict


def main() -> None:
    """Measure each kind."""
    large = int(sys.argv[1]) if len(sys.argv) > 1 else LARGE
    for kind in (write, heredoc, commands, result, prompt, argument):
        little, _ = measured(kind, SMALL)
        much, verdict = measured(kind, large)
        said = "masked" if verdict.changed and kind is result else f"{verdict.outcome} {verdict.reason[:110]}"
        print(f"{kind.__name__:10} {little:8.3f} s {much:8.2f} s  x{much / little:8.0f}  {said}", flush=True)


if __name__ == "__main__":
    main()
