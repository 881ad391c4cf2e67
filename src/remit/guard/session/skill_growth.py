"""Does a skill ask for more than a person trusted it with? Its text and scripts are drafted again and compared, capability by capability.

A manifest that a person trusted is for the skill that they saw. Text and scripts may change afterwards without a word in it: what
they then ask for beyond it is asked about where the skill is loaded. Other words for the same things are not.

`remit init` is asked, in a process of its own, as admission is (`bundle_admission.py`): once for each content. A content that a person
trusted together with the manifest (`remit guard trust`) is not looked at again; what it asked for then is known.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from remit.core.errors import GuardError, RemitError
from remit.manifest.model import Decision, Manifest, Permission
from remit.manifest.read import parse_manifest

if TYPE_CHECKING:
    from pathlib import Path

    from remit.manifest.draft.update import Growth

_SECONDS = 8  # for the analysis while a host waits for the answer, which takes less than twice as long
PATIENT = 60  # seconds that a person at a terminal waits
_SHOWN = 5  # capabilities that are named
_SCOPES = 3  # of each
_DRAFTED = "draft.json"


class Trusted(NamedTuple):
    """What a person trusted of a skill."""

    manifest: Manifest
    content: str = ""  # the digest of its folder then; empty if it was not kept
    draft: str = ""  # what it asked for then, as a draft


def draft_manifest(folder: Path, patience: int = 0) -> str:
    """What a skill asks for, as the text of a manifest. `patience`: seconds, where no host waits."""
    seconds = patience or _SECONDS
    words = [sys.executable, "-I", "-m", "remit.cli", "init", "--stdout", "--quiet", "--no-cache"]
    words += ["--timeout", str(seconds), str(folder)]
    try:
        done = subprocess.run(words, capture_output=True, timeout=1.5 * seconds, check=True)  # noqa: S603
        text = done.stdout.decode("utf-8")
        parse_manifest(text.encode(), _DRAFTED)
    except (OSError, subprocess.SubprocessError, ValueError, RemitError):
        remedy = f"`remit init --stdout {folder}` says why"
        raise GuardError(f"what the skill `{folder.name}` asks for cannot be found out", remedy) from None
    return text


def is_compared(trusted: Trusted, content: str) -> bool:
    """Whether a content has to be looked at. Where a manifest was written by hand and nobody kept the content, nothing is known to compare."""
    return trusted.content != content and bool(trusted.manifest.drafted or trusted.draft)


def growth(now: str, trusted: Trusted, baseline: Iterable[Permission] = ()) -> tuple[Growth, ...]:
    """What a skill asks for beyond what was trusted. `now`: its draft. What everybody may read in the workspace is nothing more."""
    from remit.manifest.draft.update import find_growth  # noqa: PLC0415  only a changed skill needs it

    before = parse_manifest(trusted.draft.encode(), _DRAFTED).permissions if trusted.draft else ()
    read = [one for one in baseline if one.capability.endswith(".read") and one.effect is Decision.ALLOW]
    return find_growth(parse_manifest(now.encode(), _DRAFTED), trusted.manifest, (*before, *read))


def growth_sentence(more: tuple[Growth, ...]) -> str:
    """What a person is told of it."""
    shown = [named(one) for one in more[:_SHOWN]]
    rest = f" and {len(more) - _SHOWN} more" if len(more) > _SHOWN else ""
    return ", ".join(shown) + rest


def named(one: Growth) -> str:
    """A capability with its scopes, and the line that asks for it."""
    scopes = ", ".join(scope.render()[:100] for scope in one.scopes[:_SCOPES])
    text = f"`{one.capability}({scopes}{', …' if len(one.scopes) > _SCOPES else ''})`"
    return f"{text} ({one.place.file}:{one.place.line})" if one.place else text
