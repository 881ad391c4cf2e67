"""The real parts that attacks are made on: a skill that was proved and signed, the commands, and the projector."""

import io
import json
import shutil
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

from remit.cli.main import main
from remit.manifest import read_manifest
from remit.manifest.model import Verification
from remit.policy.projector import Projector
from remit.policy.skill_policy import SkillPolicy

LEVEL = "formal"  # what the example claims
EVIDENCE = ("static.json", "types.proof", "smt.unsat", "manifest.attest.json")
EXAMPLE = Path(__file__).resolve().parents[2] / "examples/summarise-fetched-html"


class Done(NamedTuple):
    """How a command ended."""

    returncode: int
    stdout: str
    stderr: str


def remit(*words: object) -> Done:
    """A command as a user writes it; in this process, because a start takes longer than most commands."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = main([str(word) for word in words])
    return Done(status, out.getvalue(), err.getvalue())


class Admitted(NamedTuple):
    """What `remit verify` says."""

    status: int
    level: str
    refused: bool
    codes: tuple[str, ...]


class Author(NamedTuple):
    """Somebody who writes a skill, with a key that a trust root knows."""

    home: Path

    @property
    def skill(self) -> Path:
        return self.home / "skill"

    def copied(self, to: Path) -> "Author":
        shutil.copytree(self.home, to, symlinks=True)
        return Author(to)

    def prove(self, *words: str) -> Done:
        record = self.home / "tests.json"
        remit("test", self.skill, "--output", record)
        return remit("prove", self.skill, "--key", self.home / "author.key", "--tests", record, *words)

    def verified(self, skill: Path | None = None) -> Admitted:
        done = remit("verify", skill or self.skill, "--trust-root", self.home / "trust.json", "--format", "json")
        value = json.loads(done.stdout)
        codes = tuple(item["code"] for item in value["reasons"])
        return Admitted(done.returncode, value["level"], value["refused"], codes)


def author_in(home: Path) -> Author:
    """An author whose skill is the example, proved."""
    shutil.copytree(EXAMPLE / "skill", home / "skill")
    made = Author(home)
    for done in (
        remit("keys", "new", home / "author.key", "--name", "author"),
        remit("keys", "trust", home / "trust.json", "--add", home / "author.key.pub", "--level", "formal"),
        made.prove(),
    ):
        assert done.returncode == 0, done.stdout + done.stderr
    return made


def projector(skill: Path, level: Verification = Verification.FORMAL) -> Projector:
    """What stands between an agent and the host while it uses a skill."""
    manifest = read_manifest(skill / "remit.json")
    assert manifest.skill_metadata is not None
    return Projector(SkillPolicy(manifest.skill_metadata.name, manifest, level))


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")
