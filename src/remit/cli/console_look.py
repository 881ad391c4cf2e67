"""Analysis of skills in a separate process, a line for each, so that the console goes on serving meanwhile.

The first input line is the request: `{"folders": […], "options": {…}}`.
"""

from __future__ import annotations

import argparse
import json
import sys
import zlib
from base64 import b64encode
from pathlib import Path
from typing import Any

from remit.checker.run import Answer, Run
from remit.cli.check_options import check_options
from remit.core.errors import RemitError
from remit.findings.codec import encode
from remit.findings.model import Level
from remit.manifest.model import Verification
from remit.report.first_screen import answer_of, badness, why


def main() -> int:
    """Answer, and end."""
    asked = json.loads(sys.stdin.readline())
    folders = [Path(folder) for folder in asked["folders"]]
    checks = Run(folders, check_options(argparse.Namespace(**asked["options"]), folders))
    for _, answer in checks.answers():
        print(json.dumps(_line(checks, answer), separators=(",", ":")), flush=True)
    return 0


def _line(checks: Run, answer: Answer) -> dict[str, Any]:
    if answer.found is None:
        assert answer.failure is not None
        return _failed(answer, answer.failure.message, answer.failure.remedy)
    try:
        report, _ = checks.report(answer)
    except RemitError as error:
        return _failed(answer, error.message, error.remedy)
    manifest, (name, words) = report.manifest, answer_of(report)
    row: dict[str, Any] = {
        "name": answer.name,
        "answer": name,
        "words": words,
        "why": why(report),
        "severity": str(report.concerns[0].severity) if report.concerns and report.level is not Level.CLEAR else "",
        "badness": badness(report),
        "capabilities": sorted({effect.capability for effect in report.found.effects}),
        "claimed": str(manifest.verification)
        if manifest and manifest.verification is not Verification.UNVERIFIED
        else "",
        "manifest": Path(manifest.file).name if manifest else "",
        "failure": [report.failure.message, report.failure.remedy] if report.failure else None,
    }
    known = json.dumps([answer.found.encode(), encode(answer.findings)])
    packed = b64encode(zlib.compress(known.encode(), 1)).decode("ascii")
    return {
        "folder": str(answer.folder),
        "row": row,
        "effects": packed,
        "content": answer.content,
        "noted": checks.noted,
    }


def _failed(answer: Answer, message: str, remedy: str) -> dict[str, Any]:
    row = {
        "name": answer.name,
        "answer": "failed",
        "words": "cannot be read",
        "why": message,
        "failure": [message, remedy],
    }
    return {"folder": str(answer.folder), "row": row, "content": answer.content or "unknown"}


if __name__ == "__main__":
    sys.exit(main())
