"""Temporary entry while the command line is being built."""

from __future__ import annotations

import json
import sys
from pathlib import Path


def main() -> int:
    """Print the effects of one skill as JSON."""
    from remit.analysis.session import analyse  # noqa: PLC0415
    from remit.skill import load_skill  # noqa: PLC0415

    result = analyse(load_skill(Path(sys.argv[2])))
    effects = [
        {"capability": e.capability, "scope": e.scope.render(), "where": {"file": e.where.file, "line": e.where.line}, "why": e.why, "origin": e.origin}
        for e in result.effects
    ]
    opaque = [{"reason": o.reason, "where": {"file": o.where.file, "line": o.where.line}} for o in result.opaque]
    print(json.dumps({"effects": effects, "opaque": opaque}))
    return 0
