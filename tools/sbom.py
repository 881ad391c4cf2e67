"""The bill of materials: what an installation of Remit pulls in, with the versions and hashes of the lock, in CycloneDX.

What the core needs is `required`, what an extra brings `optional`. There is no serial number and no time in it, so that the
same lock gives the same bytes.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from importlib.metadata import distribution
from typing import TYPE_CHECKING, Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def closure(root: Path, extras: tuple[str, ...]) -> set[str]:
    """The packages that Remit with some extras needs: what pyproject.toml names, and what that needs in this environment."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    waiting = list(project["dependencies"])
    waiting += [wanted for extra in extras for wanted in project["optional-dependencies"][extra]]
    found: set[tuple[str, str]] = set()
    while waiting:
        wanted = Requirement(waiting.pop())
        for extra in ("", *wanted.extras):
            if (one := (canonicalize_name(wanted.name), extra)) not in found:
                found.add(one)
                waiting += _needed(*one)
    return {name for name, _ in found}


def _needed(name: str, extra: str) -> Iterator[str]:
    for text in distribution(name).requires or ():
        marker = Requirement(text).marker
        if marker is None or marker.evaluate({"extra": extra}):
            yield text


def extras(root: Path) -> list[str]:
    """Every extra but the one that is all of them."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    return [name for name in project["optional-dependencies"] if name != "all"]


def locked(lock: Path, names: set[str]) -> str:
    """The part of a lock that names some packages; every one of them must be there."""
    blocks = dict(
        re.findall(r"^([a-z0-9-]+)(==[^\n]*\n(?: {4}--hash[^\n]*\n)+)", lock.read_text("utf-8"), re.MULTILINE)
    )
    if missing := names - blocks.keys():
        raise SystemExit(f"sbom: not in {lock.name}: {', '.join(sorted(missing))}; run `make lock`")
    return "".join(name + blocks[name] for name in sorted(names))


def sbom(root: Path) -> bytes:
    """The document, in one spelling."""
    core, everything = closure(root, ()), closure(root, tuple(extras(root)))
    command = [
        sys.executable, "-P", "-m", "cyclonedx_py", "requirements", "-", "--pyproject", str(root / "pyproject.toml"),
        "--mc-type", "application", "--output-reproducible", "--spec-version", "1.6",
    ]  # fmt: skip
    text = locked(root / "requirements.lock", everything)
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"sbom: {done.stderr[-1000:]}")
    return spelled(json.loads(done.stdout), core)


def spelled(document: dict[str, Any], core: set[str]) -> bytes:
    """The document with its scopes, and with lists in an order that hangs on nothing but what they hold."""
    for component in document["components"]:
        component["scope"] = "required" if canonicalize_name(component["name"]) in core else "optional"
        component.pop("description", None)  # the line of the lock once more
    document["components"].sort(key=lambda one: one["name"])
    return json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False).encode() + b"\n"
