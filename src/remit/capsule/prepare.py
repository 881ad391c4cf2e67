"""The preparation of a contract from a manifest and a command. It changes and starts nothing.

(1) The kernel is queried. (2) The manifest is read as grants. (3) Places and programs are looked up. (4) What is
sensitive or denied in them is searched for. (5) The environment is made. Omissions are in the contract, with the reason.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from remit.capsule.confinement import HOME, TEMP, Limits, environment, sensitive_in, system_places
from remit.capsule.contract import BoundPath, Contract, Hiding, Mask
from remit.capsule.contract_places import Ground, lies_in, look_up
from remit.capsule.kernel import look, require
from remit.capsule.landlock import PROXY_PORT
from remit.capsule.manifest_grants import denies_variable, granted
from remit.capsule.masks import HiddenPath, Masker, kept_back
from remit.capsule.programs import find_programs
from remit.core.errors import CapsuleError, UsageError
from remit.core.scope import ROOT, WORKSPACE, PathScope
from remit.core.scope.component import escape
from remit.manifest.identity import manifest_digest

if TYPE_CHECKING:
    from remit.manifest.model import Manifest
    from remit.policy.permit import Permit

# Where the capsule's own folders lie: the usual place, unless something that is granted lies in it.
_HOMES, _TEMPS = (HOME, "/run/remit/home"), (TEMP, "/run/remit/temp")
_OPEN = ("/", "/usr", "/etc", "/bin", "/lib", "/proc", "/dev", "/sys", "/run", "/var")  # no workspace, nor a home


class RunRequest(NamedTuple):
    """A request to run a command."""

    manifest: Manifest
    command: tuple[str, ...]
    workspace: str
    home: str
    skill: str = ""
    passed: tuple[str, ...] = ()  # paths that `<arg>` stands for
    confirmed: bool = False  # a person has agreed to what the manifest asks about
    sockets: tuple[tuple[str, str], ...] = ()
    caller: Mapping[str, str] = {}
    kept_apart: tuple[str, ...] = ()  # folders of Remit itself, which no command sees
    limits: Limits = Limits()
    landlock: int = 1  # the least ABI


class Prepared(NamedTuple):
    """A contract, and what is needed to judge new files afterwards."""

    contract: Contract
    masker: Masker
    kept: Mapping[str, HiddenPath]


def prepare(permit: Permit, asked: RunRequest) -> Prepared:
    """Make the contract of a command."""
    kernel = look(permit)  # (1)
    require(kernel, max(asked.landlock, 1))
    ground = _ground(asked)
    given = granted(
        asked.manifest, tuple(_scope(path, ground) for path in asked.passed), confirmed=asked.confirmed
    )  # (2)
    places, unbound = look_up(permit, given.wishes, ground)  # (3)
    startable, missing, denied = find_programs(permit, asked.command, given, ground)
    masker = Masker(given, ground)
    kept = kept_back(permit, places, masker)  # (4)
    own = tuple(
        Mask(path, Hiding.HIDDEN, True, "what Remit keeps for itself")
        for path in map(os.path.realpath, asked.kept_apart)
        if os.path.isdir(path) and any(lies_in(path, bound.path) for bound in places)
    )
    system = tuple(path for path in system_places() if os.path.exists(path))
    sensitive = (
        Mask(path, Hiding.HIDDEN, os.path.isdir(path), "a sensitive place of the system")
        for path in sensitive_in(system)
    )
    caller = {name: text for name, text in asked.caller.items() if not denies_variable(given.denied_variables, name)}
    home, temp = (_apart(folders, places, ground) for folders in (_HOMES, _TEMPS))
    proxy = f"http://127.0.0.1:{PROXY_PORT}" if any(not rule.denied for rule in given.egress) else ""
    contract = Contract(
        skill=asked.manifest.skill_metadata.name if asked.manifest.skill_metadata else "",
        manifest=manifest_digest(asked.manifest),
        command=asked.command,
        workspace=ground.workspace,
        home=home,
        temp=temp,
        links=_links(places, ground.home, home),
        user=_user(ground.workspace),
        places=places,
        system=system,
        masked=(*sensitive, *(item.mask for item in kept.values()), *own, *denied),
        programs=startable,
        environment=environment(caller, given.variables, {"HOME": home, "TMPDIR": temp}, proxy)  # (5)
        + tuple((f"REMIT_SOCKET_{name.upper()}", f"/run/remit/sockets/{name}") for name, _ in asked.sockets),
        egress=given.egress if proxy else (),
        listens=given.listens,
        sockets=asked.sockets,
        limits=asked.limits,
        landlock=kernel.landlock,
        narrowed=(*given.narrowed, *unbound, *missing),
    )
    return Prepared(contract, masker, kept)


def _ground(asked: RunRequest) -> Ground:
    workspace = os.path.realpath(asked.workspace)
    if not os.path.isdir(workspace) or workspace in _OPEN:
        raise UsageError(f"`{asked.workspace}` cannot be a workspace", "pass your own folder with --workspace")
    home = os.path.realpath(asked.home) if asked.home.startswith("/") else ""
    return Ground(workspace, "" if home in _OPEN else home, os.path.realpath(asked.skill) if asked.skill else "")


def _apart(folders: tuple[str, ...], places: tuple[BoundPath, ...], ground: Ground) -> str:
    """Return the first of some folders that does not overlap any bound place."""
    bound = (ground.workspace, *(place.path for place in places))
    return next(
        folder for folder in folders if not any(lies_in(path, folder) or lies_in(folder, path) for path in bound)
    )


def _links(places: tuple[BoundPath, ...], theirs: str, home: str) -> tuple[tuple[str, str], ...]:
    """Return links in the capsule's home folder to granted paths in the caller's."""
    inside = [place.path for place in places if theirs and place.path != theirs and lies_in(place.path, theirs)]
    tops = [path for path in inside if not any(path != other and lies_in(path, other) for other in inside)]
    return tuple((os.path.join(home, os.path.relpath(path, theirs)), path) for path in tops)


def _scope(path: str, ground: Ground) -> PathScope:
    """Return the scope of a path that the caller passes; a relative one in the workspace, as entries may require."""
    full = os.path.realpath(os.path.join(ground.workspace, path))
    inside = lies_in(full, ground.workspace)
    parts = os.path.relpath(full, ground.workspace) if inside else full
    words = tuple(escape(part) for part in parts.split("/") if part not in ("", "."))
    return PathScope(WORKSPACE if inside else ROOT, words)


def _user(workspace: str) -> int:
    """Return the user of the command: the caller, or for root the owner of the workspace."""
    caller = os.getuid()
    try:
        return os.stat(workspace).st_uid if caller == 0 else caller
    except OSError as error:
        raise CapsuleError(f"`{workspace}` cannot be looked at: {error.strerror}", "make it readable") from None
