"""`remit list`: the installed skills of each host, their sources, and whether they were changed since."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.checker.run import Options, Run
from remit.cli.installed_skills import changes_of, record_value
from remit.cli.staging_area import tilde
from remit.core.errors import RemitError
from remit.guard.session.skill_folders import installed
from remit.guard.session.workspace import root_of
from remit.installation.hosts import PROJECT, USER, Host, choose_host, detect_hosts, hosts
from remit.installation.records import Installed, read_records
from remit.report.screen import Screen, visible

if TYPE_CHECKING:
    import argparse


class ListedSkill(NamedTuple):
    """A skill that a host finds, or that Remit installed and that is gone."""

    name: str
    host: str
    scope: str
    folder: Path
    record: Installed | None  # None: Remit did not install it
    changed: tuple[str, ...] = ()
    gone: bool = False
    level: str = ""  # the level of the last check of this content, if it is still known


def list_skills(args: argparse.Namespace) -> int:
    """Run the command."""
    home, project = Path.home(), root_of(".")
    records = {one.folder: one for one in read_records() if args.host in ("", one.host)}
    wanted = [choose_host(args.host, home)] if args.host else _hosts(home, project, records)
    rows = list(_rows(wanted, home, project, records))
    if args.project or args.user:
        rows = [row for row in rows if row.scope == (PROJECT if args.project else USER)]
    rows = _judged(rows)
    if args.json:
        print(json.dumps({"skills": [_value(row) for row in rows]}, indent=1))
    else:
        Screen.of(sys.stdout, "auto").write(_lines(rows, wanted))
    return 0


def _hosts(home: Path, project: Path, records: Mapping[str, Installed]) -> list[Host]:
    """Return the hosts on this machine, those that this project has skills for, and those that skills were installed
    for.
    """
    here, used = detect_hosts(home), {record.host for record in records.values()}
    return [one for one in hosts() if one in here or one.name in used or one.folder(PROJECT, home, project).is_dir()]


def _rows(wanted: Sequence[Host], home: Path, project: Path, records: Mapping[str, Installed]) -> Iterator[ListedSkill]:
    left = dict(records)
    for host in wanted:
        for name, folder in dict.fromkeys(installed(host.name, project, home)):
            scope = PROJECT if folder.is_relative_to(project) and home != project else USER
            record = next((one for one in records.values() if Path(one.folder).resolve() == folder), None)
            if record is not None and record.host == host.name:
                left.pop(record.folder, None)
                yield ListedSkill(name, host.name, record.scope, folder, record, tuple(_changes(record)))
            elif record is None:
                yield ListedSkill(name, host.name, scope, folder, None)
    for record in left.values():
        gone = not Path(record.folder).is_dir()
        changed = () if gone else tuple(_changes(record))
        yield ListedSkill(record.name, record.host, record.scope, Path(record.folder), record, changed, gone=gone)


def _changes(record: Installed) -> list[str]:
    try:
        return changes_of(record)
    except RemitError as error:
        return [error.message]


def _judged(rows: Sequence[ListedSkill]) -> list[ListedSkill]:
    """Return the rows with the cached result of the last check of the present content; nothing is analysed."""
    checks = Run([row.folder for row in rows], Options())
    out = []
    for number, row in enumerate(rows):
        answer = None if row.gone else checks.kept(number)
        if answer:
            out.append(row._replace(level=str(checks.report(answer)[0].level)))
        else:
            out.append(row._replace(level=row.record.version.level if row.record and not row.changed else ""))
    return out


def _value(row: ListedSkill) -> dict[str, Any]:
    value: dict[str, Any] = {"name": row.name, "host": row.host, "scope": row.scope, "folder": str(row.folder)}
    if row.record:
        value = record_value(row.record)
    return value | {
        "installed_by_remit": row.record is not None,
        "changed": list(row.changed),
        "gone": row.gone,
        "level": row.level or None,
    }


def _lines(rows: Sequence[ListedSkill], wanted: Sequence[Host]) -> Iterator[str]:
    if not rows:
        yield f"no skills are installed for {', '.join(host.name for host in wanted) or 'any host'}"
    wide = max((len(row.name) for row in rows), default=0)
    places = {(row.host, row.scope, row.folder.parent): None for row in rows}
    for host, scope, folder in places:
        yield f"{host}, {scope}  {visible(tilde(folder))}"
        for row in rows:
            if (row.host, row.scope, row.folder.parent) == (host, scope, folder):
                yield f"  {visible(row.name):{wide}}  {visible(_words(row))}"


def _words(row: ListedSkill) -> str:
    level = f"; {row.level}" if row.level else ""
    if row.record is None:
        return f"not installed by Remit{level}"
    if row.gone:
        return f"gone; it came from {tilde(row.record.source.given)}"
    changed = (
        f"; changed since: {', '.join(row.changed[:3])}{' …' if len(row.changed) > 3 else ''}" if row.changed else ""
    )
    return f"{tilde(row.record.source.given)} at {row.record.version.short}{level}{changed}"
