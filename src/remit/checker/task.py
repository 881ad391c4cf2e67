"""The job of a worker: load and analyse one skill, and return JSON."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.analysis.result import Effects
from remit.checker.fingerprint import fingerprint
from remit.core.errors import DataError, RemitError
from remit.skill.find import link_boundary

if TYPE_CHECKING:
    from remit.checker.run import Options
    from remit.findings.model import Finding
    from remit.skill.model import Skill


class Also(NamedTuple):
    """What a command needs besides effects and findings; results are cached under the name."""

    name: str
    run: Callable[[Skill, Effects, tuple[Finding, ...]], dict[str, Any]]  # the result is JSON


def analyse_folder(folder: str, options: Options, also: Also | None, known: dict[str, Any] | None = None) -> bytes:
    """Return the result for one skill: `{"found", "files", "more"}`, or `{"error"}` for an expected failure.

    `known` are effects that were found before for the same content.
    """
    from remit.analysis.session import analyse  # noqa: PLC0415  the cached path never gets here
    from remit.findings.codec import decode  # noqa: PLC0415
    from remit.skill.load import load_skill  # noqa: PLC0415

    try:
        # the absolute path, because a skill in `.` has a name too
        within = link_boundary(folder, options.sources)
        skill = load_skill(Path(os.path.abspath(folder)), options.limits, within, shipped=options.shipped)
        # parsed back: callers that compare a new result with a cached one compare the same form
        data = known or _found(skill, analyse(skill, options.summaries))
        more = also.run(skill, Effects.decode(data, folder), decode(data["findings"])) if also else None
    except RemitError as error:
        return _dump({"error": [error.message, error.remedy]})
    return _dump({"found": data, "files": fingerprint(skill.files, skill.links), "more": more})


def _found(skill: Skill, effects: Effects) -> dict[str, Any]:
    """Return the effects and findings of a skill as JSON values."""
    from remit.findings import guarantees  # noqa: PLC0415
    from remit.findings.assess import find, with_context  # noqa: PLC0415
    from remit.findings.codec import encode  # noqa: PLC0415

    effects = with_context(skill, effects)
    data = {**effects.encode(), "findings": encode(find(skill, effects))}
    return data | {"guarantees": guarantees.encode(Effects.decode(data, effects.path))}


def preload(summaries: tuple[Path, ...]) -> None:
    """Import what workers need, and read the project's summaries, so that an error is reported once."""
    import remit.analysis.session  # noqa: PLC0415
    import remit.skill.load  # noqa: F401, PLC0415
    from remit.findings.registry import rules  # noqa: PLC0415

    rules()

    if not summaries:
        return
    from remit.analysis.summaries.library import Library  # noqa: PLC0415

    for path in summaries:
        try:
            if path.name.endswith(".cmd"):
                read_commands(path)
            else:
                library = Library("js" if path.name.endswith(".js.sum") else "python", [path])
                for section in library.sections.values():
                    section.entries.values()
        except (OSError, UnicodeDecodeError) as error:
            raise DataError(f"{path}: cannot be read: {error}", "a summary file is UTF-8 text") from None


def read_commands(path: Path) -> None:
    """Parse every block of a file of command summaries; DataError if one is invalid."""
    from remit.analysis.commands import load_commands  # noqa: PLC0415

    catalog = load_commands([path])
    ours = set(load_commands().names())
    for name in catalog.names():
        if name not in ours:
            catalog.get(name)


def _dump(value: dict[str, Any]) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode("ascii")
