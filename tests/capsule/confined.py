"""Runs for tests: a program in a sandbox, and the same program without one."""

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from remit.capsule.confinement import Limits, confined
from remit.capsule.observe import Content, observe
from remit.capsule.run import run_confined
from remit.cli.skill_tests import copy_skill, staging
from remit.core.errors import CapsuleError
from remit.policy.command_permits import permit_for

SKILL_MD = "---\nname: small\ndescription: A skill that is there to be tested and nothing else.\n---\nNothing.\n"
PYTHON = "/usr/bin/python3"


@cache
def usable():
    """Whether programs can be confined here; what is wrong, if they cannot."""
    try:
        found = sandboxed("true", {})
    except CapsuleError as error:
        return error.message
    return "" if found.code == 0 and Path(PYTHON).exists() else f"status {found.code}"


def needs_sandbox():
    if usable():
        pytest.skip(f"bubblewrap and strace are not both usable here: {usable()}")


def sandboxed(*words, files=None, names=(), **limits):
    """What came of a command in the sandbox, in a skill with these files."""
    import tempfile

    files = files if isinstance(files, dict) else {}
    words = tuple(word for word in words if isinstance(word, str))
    with tempfile.TemporaryDirectory() as name, staging() as scratch:
        for path, text in {"SKILL.md": SKILL_MD, **files}.items():
            full = Path(name, path)
            full.parent.mkdir(parents=True, exist_ok=True)
            full.write_text(text)
        copy_skill(Path(name).resolve(), scratch / "skill")
        bounds = Limits(**{"seconds": 20, **limits})
        return run_confined(
            permit_for("small", words), words, confined(scratch / "skill", tuple(names), bounds), scratch / "run"
        )


def python(text, *args, **options):
    """A Python program in the sandbox."""
    return sandboxed("python3", "main.py", *args, files={"main.py": text, **options.pop("files", {})}, **options)


def unconfined(text, *args, home, cwd, seconds=20):
    """The same program without a sandbox: as somebody who is not root, where root runs the tests."""
    main = cwd / "main.py"
    main.write_text(text)
    as_root = os.getuid() == 0
    if as_root:
        for path in (cwd, home, *home.rglob("*"), *cwd.rglob("*")):
            os.chown(path, 65534, 65534)
        for path in (cwd, *cwd.parents):
            if path.stat().st_uid == 0 and str(path) not in ("/", "/tmp"):
                path.chmod(0o755)
    return subprocess.run(
        [PYTHON if Path(PYTHON).exists() else sys.executable, str(main), *args],
        cwd=cwd,
        env={"HOME": str(home), "PATH": "/usr/bin:/bin", "TMPDIR": str(cwd)},
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
        start_new_session=True,
        user=65534 if as_root else None,
        group=65534 if as_root else None,
        extra_groups=[] if as_root else None,
    )


def seen(found, paths=(), code=(), names=()):
    """What was observed, as pairs: the first meaning, and how it ended."""
    content = Content(frozenset(paths), frozenset(code), tuple(names))
    return {
        (item.meanings[0].capability, item.meanings[0].scope.render(), str(item.outcome))
        for item in observe(found.acts, content)
        if item.role == "effect"
    }


def has(program):
    return shutil.which(program, path="/usr/bin:/bin") is not None
