"""`remit capsule`: runs a command confined to what a manifest grants. By typing the command, the user permits what it
runs.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from remit.capsule.confinement import Limits
from remit.capsule.contract import contract_value
from remit.capsule.prepare import Prepared, RunRequest, prepare
from remit.capsule.seccomp import refused_names
from remit.checker.cache import folder as cache_folder
from remit.cli.messages import say
from remit.core.errors import RemitError, UsageError

if TYPE_CHECKING:
    import argparse

    from remit.capsule.launch import Ran
    from remit.policy.permit import Permit

PLANTED, TIME, NOT_RUN = 123, 124, 125
_SKILL = "SKILL.md"


def capsule(args: argparse.Namespace) -> int:
    """Run the command. A failure of the capsule itself has its own exit status, so that it is not taken for one of the
    command.
    """
    try:
        return {"run": _run, "profile": _profile, "probe": _probe}[args.action](args)
    except UsageError:
        raise
    except RemitError as error:
        say(error.message, error.remedy)
        return NOT_RUN


def _run(args: argparse.Namespace) -> int:
    permit, prepared = _prepared(args)
    if args.explain:
        _explain(prepared, args.format)
        return 0
    from remit.capsule.helper.build import helper  # noqa: PLC0415
    from remit.capsule.launch import run_in_capsule  # noqa: PLC0415
    from remit.capsule.run import Ending  # noqa: PLC0415

    sys.stdout.flush()
    ran = run_in_capsule(permit, prepared, helper(permit, _helpers()))
    for problem in ran.egress.problems:
        say(problem, "what left the capsule is not known in full")
    for mask in ran.planted:
        say(f"the command left `{mask.path}`, and {mask.what}", "look at it before anything uses it")
    if args.record:
        _keep(Path(args.record), prepared, ran)
    if ran.how is Ending.TIME:
        say(f"the command was ended after {args.timeout} s", "give --timeout a larger number")
        return TIME
    if ran.planted or ran.egress.problems:
        return PLANTED
    return NOT_RUN if ran.code is None else ran.code


def _helpers() -> Path:
    return cache_folder() / "capsule"


def _prepared(args: argparse.Namespace) -> tuple[Permit, Prepared]:
    from remit.manifest import read_manifest  # noqa: PLC0415
    from remit.policy.command_permits import permit_for  # noqa: PLC0415

    words = tuple(args.words[1:] if args.words[:1] == ["--"] else args.words)
    if not words:
        raise UsageError("there is no command", "write it after `--`")
    manifest = read_manifest(Path(args.manifest))
    beside = Path(os.path.realpath(args.manifest)).parent
    name = manifest.skill_metadata.name if manifest.skill_metadata else beside.name
    permit = permit_for(name, words)
    asked = RunRequest(
        manifest=manifest,
        command=words,
        workspace=args.workspace,
        home=os.path.expanduser("~"),  # noqa: PTH111
        skill=str(beside) if (beside / _SKILL).is_file() else "",
        passed=tuple(args.arg),
        confirmed=args.confirm,
        sockets=tuple(_socket(text) for text in args.socket),
        caller=os.environ,
        kept_apart=(str(_helpers()),),
        limits=Limits(seconds=args.timeout),
        landlock=args.landlock,
    )
    return permit, prepare(permit, asked)


def _socket(text: str) -> tuple[str, str]:
    name, equals, path = text.partition("=")
    real = Path(os.path.realpath(path))
    if not equals or not name.isidentifier() or not name.isascii() or not real.is_socket():
        raise UsageError(f"`{text}` is not NAME=PATH of a Unix socket", "name a socket on which a process listens")
    return name, str(real)


def _explain(prepared: Prepared, form: str) -> None:
    from remit.report.as_json import pretty  # noqa: PLC0415
    from remit.report.capsule_text import contract_lines  # noqa: PLC0415

    if form == "json":
        print(pretty(contract_value(prepared.contract, refused_names())))
    else:
        print("\n".join(contract_lines(prepared.contract)))


def _keep(path: Path, prepared: Prepared, ran: Ran) -> None:
    from remit.capsule.launch import ran_value  # noqa: PLC0415
    from remit.cli.atomic_write import save  # noqa: PLC0415
    from remit.report.as_json import pretty  # noqa: PLC0415

    save(path, pretty(ran_value(prepared.contract, ran)) + "\n")


def _profile(args: argparse.Namespace) -> int:
    from remit.capsule.seatbelt import seatbelt_profile  # noqa: PLC0415

    _, prepared = _prepared(args)
    print(seatbelt_profile(prepared.contract), end="")
    return 0


def _probe(args: argparse.Namespace) -> int:
    from remit.cli.capsule_probe import probe  # noqa: PLC0415

    return probe(args.names, args.format, _helpers())
