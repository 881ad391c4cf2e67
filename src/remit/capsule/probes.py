"""Escape attempts against the capsule: each is made outside, where it must succeed, and inside, where it must not.

The attempts are data (`data/probes`), one small program each. An attempt that fails outside shows nothing about the capsule, and
is reported as such; an attempt that breaks in an unforeseen way inside is no proof either.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.capsule.confinement import DATA, Limits
from remit.capsule.contract import VERSION
from remit.capsule.launch import Streams, run_in_capsule
from remit.capsule.prepare import Asked, prepare
from remit.capsule.probe_world import VARIABLE, World, world
from remit.core.errors import CapsuleError
from remit.core.scope import DEEP, WORKSPACE, PathScope
from remit.core.shape import Items, Record, Text, Whole, Word
from remit.manifest.model import Decision, Manifest, Metadata, Permission

if TYPE_CHECKING:
    from remit.policy.permit import Permit

COMMAND = ("python3", "probe.py")
_SECONDS = 30
_FOLDER = DATA / "probes"
_BODY = "    BODY\n"


class Standing(StrEnum):
    """The result of an attempt."""

    HELD = "held"
    GOT_OUT = "got out"
    NOT_SHOWN = "not shown"  # it does not succeed outside either
    UNCLEAR = "unclear"  # the attempt itself broke inside


class Probe(NamedTuple):
    """An attempt."""

    name: str
    what: str
    text: str


class Probed(NamedTuple):
    """An attempt, with its output outside and inside."""

    name: str
    what: str
    standing: Standing
    outside: str
    inside: str


SHAPE = Record(
    {
        "version": Whole(VERSION, VERSION),
        "probes": Items(
            Record(
                {
                    "name": Text(100),
                    "what": Text(300),
                    "standing": Word(tuple(map(str, Standing))),
                    "outside": Text(1000, empty=True),
                    "inside": Text(1000, empty=True),
                }
            ),
            1_000,
        ),
    }
)


@cache
def probes() -> tuple[Probe, ...]:
    """Return all attempts, by name."""
    frame = (_FOLDER / "frame.py.txt").read_text("utf-8")
    found: list[Probe] = []
    for path in sorted(_FOLDER.glob("*.probe")):
        first, _, body = path.read_text("utf-8").partition("\n")
        lines = "".join(f"    {line}\n" if line else "\n" for line in body.splitlines())
        found.append(Probe(path.stem, first.removeprefix("# "), frame.replace(_BODY, lines)))
    return tuple(found)


def probe_all(
    permit: Permit, chosen: Sequence[str], helper: bytes, done: Callable[[Probed], None]
) -> tuple[Probed, ...]:
    """Make the attempts with these names, or all. The permit is for `COMMAND`."""
    known = {probe.name: probe for probe in probes()}
    wrong = next((name for name in chosen if name not in known), None)
    if wrong is not None:
        raise CapsuleError(f"there is no attempt `{wrong}`", f"the attempts are {', '.join(known)}")
    found: list[Probed] = []
    for name in chosen or known:
        with world(permit) as place:
            probed = _probed(permit, known[name], place, helper)
        found.append(probed)
        done(probed)
    return tuple(found)


def probed_value(found: Sequence[Probed]) -> dict[str, Any]:
    """Return the published form."""
    return {"version": VERSION, "probes": [item._asdict() | {"standing": str(item.standing)} for item in found]}


def standing_of(outside: str, inside: str) -> Standing:
    """Return what two outputs show."""
    if inside.startswith("GOT"):
        return Standing.GOT_OUT
    if not inside.startswith("refused"):
        return Standing.UNCLEAR
    return Standing.HELD if outside.startswith("GOT") else Standing.NOT_SHOWN


def _probed(permit: Permit, probe: Probe, place: World, helper: bytes) -> Probed:
    (place.workspace / "probe.py").write_text(probe.text, "utf-8")
    inside = _inside(permit, place, helper)  # first: what succeeds outside changes things
    outside = _outside(permit, place)
    return Probed(probe.name, probe.what, standing_of(outside, inside), outside, inside)


def _inside(permit: Permit, place: World, helper: bytes) -> str:
    manifest = Manifest("the mediation contract", tuple(_entries()), Metadata("probe"))
    asked = Asked(
        manifest=manifest,
        command=COMMAND,
        workspace=str(place.workspace),
        home=str(place.home),
        caller={**os.environ, VARIABLE: place.secret},
        limits=Limits(seconds=_SECONDS),
    )
    with tempfile.TemporaryFile() as output, open(os.devnull, "rb") as nothing:
        streams = Streams(nothing.fileno(), output.fileno(), output.fileno())
        run_in_capsule(permit, prepare(permit, asked), helper, streams)
        output.seek(0)
        return _said(output.read(4096))


def _outside(permit: Permit, place: World) -> str:  # noqa: ARG001  (who acts holds one)
    """Run the attempt without a capsule, with open descriptors as careless callers leave them."""
    try:
        done = subprocess.run(  # noqa: S603  (our own attempts, where they are meant to succeed)
            COMMAND,
            cwd=place.workspace,
            env={"PATH": "/usr/bin:/bin", VARIABLE: place.secret},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            close_fds=False,
            timeout=_SECONDS,
            check=False,
            start_new_session=True,
        )
    except subprocess.TimeoutExpired:
        return "it takes too long"
    return _said(done.stdout[:4096])


def _said(output: bytes) -> str:
    return " ".join(output.decode("utf-8", "replace").split())[:300]


def _entries() -> Iterator[Permission]:
    whole, out = PathScope(WORKSPACE, (DEEP,)), PathScope(WORKSPACE, ("out", DEEP))
    yield Permission("file.read", (whole,), Decision.ALLOW)
    yield Permission("file.write", (out,), Decision.ALLOW)
    yield Permission("file.delete", (out,), Decision.ALLOW)
    yield Permission("source.execute", (PathScope(WORKSPACE, ("as-another",)),), Decision.ALLOW)
