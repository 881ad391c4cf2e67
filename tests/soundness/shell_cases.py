"""Shell scripts that hide what they do: analysed in this process, and run in a scratch folder to see that they do it."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING, NamedTuple

from remit.analysis.session import analyse
from remit.skill.load import load_skill

if TYPE_CHECKING:
    from pathlib import Path

SKILL_MD = "---\nname: demo\ndescription: A small helper for files. Use when files need a helper.\n---\n\n# Helper\n\nA text.\n"
# Programs that must not run for real: a stand-in notes that it was called.
STUBS = (
    "curl wget nc ncat telnet ssh scp sftp rsync docker podman pip pip3 npm npx apt apt-get brew sudo su doas runuser crontab at "
    "batch systemd-run systemctl kubectl aws gh mail sendmail osascript launchctl iptables mount umount useradd"
).split()
DELETE, WRITE, READ, CHMOD = "file.delete", "file.write", "file.read", "file.chmod"


class Case(NamedTuple):
    """`want`: capabilities of which one is reported, `|` between; several effects are separated by blanks. `opaque`: the
    place may be called opaque instead. `run` False: it is not run (`why` in the name of its table)."""

    id: str
    want: str
    script: str
    opaque: bool = False
    run: bool = True
    shell: str = "bash"
    files: tuple[tuple[str, str], ...] = ()


def write(case: Case, folder: Path) -> Path:
    root = folder / "demo"
    (root / "scripts").mkdir(parents=True)
    (root / "SKILL.md").write_text(SKILL_MD)
    shebang = f"#!/usr/bin/env {case.shell}\n"
    (root / "scripts" / "main.sh").write_bytes((shebang + case.script + "\n").encode("utf-8", "surrogateescape"))
    for path, text in case.files:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


def check(case: Case, folder: Path) -> None:
    """Every wanted effect is reported, or the place is opaque where that is a good answer."""
    effects = analyse(load_skill(write(case, folder)))
    found = {effect.capability.replace("source.", "file.", 1) for effect in effects.effects}
    found |= {effect.capability for effect in effects.effects}
    missing = [wanted for wanted in case.want.split() if not found.intersection(wanted.split("|"))]
    opaque = [f"{item.where.line}: {item.reason}" for item in effects.opaque]
    assert not missing or opaque, (case.id, sorted(found), missing)
    if not case.opaque:
        assert not opaque, (case.id, opaque, missing)
        assert not missing, (case.id, sorted(found))


def exact(script: str, want: str, folder: Path, extra: str = "", files: tuple[tuple[str, str], ...] = ()) -> None:
    """Exactly these capabilities besides starting programs, and nothing opaque."""
    effects = analyse(load_skill(write(Case("x", want, script, files=files), folder)))
    assert not effects.opaque, [(item.where.line, item.reason) for item in effects.opaque]
    found = {effect.capability for effect in effects.effects} - {"process.create", *extra.split()}
    assert found == set(want.split()), [(e.capability, e.scope.render(), e.where.line, e.why) for e in effects.effects]


def really(case: Case, folder: Path) -> None:
    """Run the script and look for its deletion, its writing, or the stand-in that it called."""
    root, scratch, stubs = write(case, folder), folder / "scratch", folder / "stubs"
    scratch.mkdir()
    stubs.mkdir()
    for name in ("victim.txt", "data.txt", "a.tmp"):
        (scratch / name).write_text("alpha\n")
    for name in STUBS:
        (stubs / name).write_text(f"#!/bin/sh\necho {name} >> {folder}/called\ncat >/dev/null 2>&1 </dev/null\n")
        (stubs / name).chmod(0o755)
    env = {
        "PATH": f"{stubs}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
        "HOME": str(scratch),
        "TMPDIR": str(scratch),
    }
    env["LC_ALL"] = "C.UTF-8"
    before = state(scratch)
    main = root / "scripts" / "main.sh"
    main.chmod(0o755)
    subprocess.run(
        [case.shell, str(main)],
        cwd=scratch,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=20,
        check=False,
    )
    after = state(scratch)
    called = (folder / "called").read_text().split() if (folder / "called").exists() else []
    for wanted in case.want.split():
        options = wanted.split("|")
        seen = (
            (DELETE in options and before.keys() - after.keys())
            or ({WRITE, CHMOD} & set(options) and after != before)
            or (not {DELETE, WRITE, CHMOD} & set(options) and called)
        )
        assert seen, (wanted, called, sorted(after))


def state(folder: Path) -> dict[str, tuple[str, int]]:
    out = {}
    for path in folder.rglob("*"):
        if path.is_file():
            out[str(path.relative_to(folder))] = (path.read_text(errors="replace"), path.stat().st_mode)
        elif path.is_symlink():
            out[str(path.relative_to(folder))] = (os.readlink(path), 0)
    return out


def runnable(case: Case) -> bool:
    """Whether running it leaves a trace; what is only read does not."""
    return case.run and case.want != READ and shutil.which(case.shell) is not None
