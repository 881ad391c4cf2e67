"""Whether a skill asks for more than when a person trusted it: its text and scripts are drafted again and compared.

A trusted manifest is for the skill that the person saw. Text and scripts may change afterwards without a change of the
manifest: what they then ask for beyond it is asked about when the skill is loaded. Other wording for the same things is
not.

It runs `remit init` in a separate process, as admission does (`bundle_admission.py`), once for each content. A content
that was trusted together with the manifest (`remit guard trust`) is not analysed again; what it asked for is known.
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

_SECONDS = 8  # for the analysis while a host waits for the answer; hosts wait less than twice as long
PATIENT = 60  # seconds that a person at a terminal waits
_SHOWN = 5  # capabilities that are named
_SCOPES = 3  # of each
_DRAFTED = "draft.json"


class Trusted(NamedTuple):
    """What a person trusted of a skill."""

    manifest: Manifest
    content: str = ""  # the digest of its folder then; empty if it was not stored
    draft: str = ""  # what it asked for then, as a draft


def draft_manifest(folder: Path, patience: int = 0) -> str:
    """Return what a skill asks for, as the text of a manifest. `patience`: seconds, where no host waits."""
    seconds = patience or _SECONDS
    words = [sys.executable, "-I", "-m", "remit.cli", "init", "--stdout", "--quiet", "--no-cache"]
    words += ["--timeout", str(seconds), str(folder)]
    try:
        done = subprocess.run(words, capture_output=True, timeout=1.5 * seconds, check=True)  # noqa: S603
        text = done.stdout.decode("utf-8")
        parse_manifest(text.encode(), _DRAFTED)
    except (OSError, subprocess.SubprocessError, ValueError, RemitError):
        remedy = f"`remit init --stdout {folder}` says why"
        raise GuardError(f"what the skill `{folder.name}` asks for cannot be determined", remedy) from None
    return text


def is_compared(trusted: Trusted, content: str) -> bool:
    """Whether a content must be compared. With a handwritten manifest and no stored content there is nothing to compare
    with.
    """
    return trusted.content != content and bool(trusted.manifest.drafted or trusted.draft)


def growth(now: str, trusted: Trusted, baseline: Iterable[Permission] = ()) -> tuple[Growth, ...]:
    """Return what a skill asks for beyond what was trusted. `now`: its draft. Reads of the workspace that everybody may
    do do not count.
    """
    from remit.manifest.draft.update import find_growth  # noqa: PLC0415  only a changed skill needs it

    before = parse_manifest(trusted.draft.encode(), _DRAFTED).permissions if trusted.draft else ()
    read = [one for one in baseline if one.capability.endswith(".read") and one.effect is Decision.ALLOW]
    return find_growth(parse_manifest(now.encode(), _DRAFTED), trusted.manifest, (*before, *read))


def growth_sentence(more: tuple[Growth, ...]) -> str:
    """Return the sentence about it for a person."""
    shown = [named(one) for one in more[:_SHOWN]]
    rest = f" and {len(more) - _SHOWN} more" if len(more) > _SHOWN else ""
    return ", ".join(shown) + rest


def named(one: Growth) -> str:
    """Return a capability with its scopes, and the line that asks for it."""
    scopes = ", ".join(scope.render()[:100] for scope in one.scopes[:_SCOPES])
    text = f"`{one.capability}({scopes}{', …' if len(one.scopes) > _SCOPES else ''})`"
    return f"{text} ({one.place.file}:{one.place.line})" if one.place else text
