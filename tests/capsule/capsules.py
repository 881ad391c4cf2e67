"""Capsules for tests: a manifest from pairs, a contract from it, and a command that runs in one."""

import os
import tempfile
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from remit.capsule.confinement import Limits
from remit.capsule.helper.build import helper
from remit.capsule.launch import Streams, run_in_capsule
from remit.capsule.prepare import RunRequest, prepare
from remit.core.capability import vocabulary
from remit.core.errors import CapsuleError
from remit.core.scope import parse_scope
from remit.manifest.model import Constraints, Decision, Manifest, Metadata, Permission
from remit.policy.command_permits import permit_for

CACHE = Path(tempfile.gettempdir()) / f"remit-capsule-tests-{os.getuid()}"
TRUE = ("true",)


class Said(NamedTuple):
    output: str
    ran: object
    contract: object


def entry(capability, scope="any", effect=Decision.ALLOW, **constraints):
    names = vocabulary().expand(capability)
    parsed = parse_scope(vocabulary()[names[0]].scope_kind, scope)
    return Permission(capability, (parsed,), effect, constraints=Constraints(**constraints))


def manifest(*rows):
    """A manifest from (capability, scope[, effect]); a row may be an entry."""
    return Manifest("m", tuple(row if isinstance(row, Permission) else entry(*row) for row in rows), Metadata("demo"))


def asked(workspace, made, command=TRUE, **more):
    fields = {"home": str(Path(workspace).parent / "home"), "caller": {}} | more
    return RunRequest(made, tuple(command), str(workspace), **fields)


def contract_of(wanted):
    return prepare(permit_for("demo", wanted.command), wanted).contract


@cache
def compiled():
    return helper(permit_for("demo", TRUE), CACHE)


@cache
def unusable():
    """Why no capsule can be made here; empty if one can."""
    with tempfile.TemporaryDirectory() as name:
        try:
            found = run(Path(name), manifest(), "true")
        except CapsuleError as error:
            return error.message
    return "" if found.ran.code == 0 else f"status {found.ran.code}: {found.output}"


def needs_capsule():
    if unusable():
        pytest.skip(f"no capsule can be made here: {unusable()}")


def run(workspace, made, *command, seconds=30, **more):
    """What a command in a capsule says, and how it ends."""
    wanted = asked(workspace, made, command, limits=Limits(seconds=seconds), **more)
    permit = permit_for("demo", wanted.command)
    prepared = prepare(permit, wanted)
    with tempfile.TemporaryFile() as output, open(os.devnull, "rb") as nothing:
        ran = run_in_capsule(permit, prepared, compiled(), Streams(nothing.fileno(), output.fileno(), output.fileno()))
        output.seek(0)
        return Said(output.read().decode("utf-8", "replace"), ran, prepared.contract)
