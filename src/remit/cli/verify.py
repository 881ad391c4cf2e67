"""`remit verify`: from a folder and a trust root to the level that holds."""

from __future__ import annotations

import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from remit.bundle.admit import Inputs, admit
from remit.bundle.binding import because
from remit.bundle.case import Failed
from remit.bundle.rotation import pin, read_signatures
from remit.bundle.store import state_folder
from remit.bundle.trust_read import parse_moment, read_trust_root
from remit.bundle.versions import check_version, record_version
from remit.bundle.why import Why
from remit.cli.bundling import analyse, look, prove
from remit.core.errors import UsageError
from remit.report.admission import as_json, as_text
from remit.report.as_json import pretty
from remit.report.screen import Screen

if TYPE_CHECKING:
    import argparse

    from remit.bundle.admission import Admission
    from remit.bundle.trust import TrustRoot
    from remit.cli.bundling import Looked

OK, FOUND = 0, 1


def verify(args: argparse.Namespace) -> int:
    """The command."""
    now = _now(args.at)
    state = Path(args.state) if args.state else state_folder()
    path = Path(args.trust_root)
    root = read_trust_root(path)
    looked = look(args)
    answer = _admitted(args, looked, root, _pinned(state, path, root, now, remember=not args.at), now, state)
    if args.format == "json":
        print(pretty(as_json(answer)))
    else:
        Screen.of(sys.stdout, args.color).write(as_text(answer, Screen.of(sys.stdout, args.color)))
    return OK if answer.holds else FOUND


def _admitted(
    args: argparse.Namespace, looked: Looked, root: TrustRoot, refused: Why | None, now: datetime, state: Path
) -> Admission:
    answer = admit(
        Inputs(
            looked.held,
            root,
            now,
            lambda skill, version, content: check_version(state, skill, version, content),
            lambda: analyse(args, looked),
            lambda manifest, effects, bound: prove(args, manifest, effects, bound, search=False),
            refused,
        )
    )
    if answer.bundle is None or args.at or isinstance(looked.held, Failed):
        return answer
    # whatever is admitted, at whichever level, is the newest from now on
    why = record_version(state, answer.skill, answer.version, looked.held.content)
    return answer.without(because(why)) if why else answer


def _pinned(state: Path, path: Path, root: TrustRoot, now: datetime, *, remember: bool) -> Why | None:
    """Why the trust root is not the one that was accepted before, nor a signed successor of it."""
    found = pin(state, root, read_signatures(path), now, remember=remember)
    return found if isinstance(found, Why) else None


def _now(text: str | None) -> datetime:
    if text is None:
        return datetime.fromtimestamp(time.time(), UTC)
    found = parse_moment(text)
    if found is None:
        raise UsageError(f"`{text}` is not a time", "write it as 2026-01-31T00:00:00Z")
    return found
