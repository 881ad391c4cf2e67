"""What the walls around a command let through: a value made from the manifest of a skill, grants of persons, and the decision.

Inside, all programs run and all of the disk is readable but for secrets; the workspace and temporary folders can be written, other
places where something grants it. The network is the egress proxy, with the hosts that are granted.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from remit.capsule.contract import EgressRule
from remit.capsule.contract_places import Ground, lies_in
from remit.capsule.manifest_grants import Granted, Use, Wish, granted
from remit.core.digest import digest
from remit.core.errors import DataError
from remit.core.scope import DEEP, HostScope, NameScope, PathScope, covers
from remit.core.scope.component import literal
from remit.core.table import read_table
from remit.manifest.model import Decision, Manifest, Permission, Verification

if TYPE_CHECKING:
    from remit.guard.walls.logins import Login
    from remit.policy.principal import SessionPolicy
    from remit.policy.request import Request

T = TypeVar("T")
_TABLE = Path(__file__).resolve().parents[1] / "data" / "walls.table"
_KERNEL = ("/proc", "/sys", "/dev")  # of the walls' own: a mount over a device would make it useless
KEPT_IN_GIT = "remit-undo"
_OPEN = ("/", *_KERNEL, "/run")  # never writable, and nothing that holds them


class Site(NamedTuple):
    """Where things lie on this machine; real paths."""

    workspace: str
    home: str
    temps: tuple[str, ...]
    state: str  # of the guard: not there inside
    search: tuple[str, ...] = ()  # folders of PATH


class Wall(NamedTuple):
    """All that the walls of one skill let through."""

    skill: str
    site: Site
    writable: tuple[str, ...]  # besides the workspace and the temporary folders
    shown: tuple[str, ...]  # granted for reading, wherever they lie
    grants: Granted
    egress: tuple[EgressRule, ...]
    variables: tuple[str, ...]  # credentials in the environment that are handed on
    login: Login | None = None  # of the user, for one command: these walls end with it

    @property
    def name(self) -> str:
        """The digest of all that cannot be changed once the walls stand."""
        wishes = (*self.grants.wishes, *self.grants.denials)
        seen = [[one.capability, one.scope.render()] for one in wishes if one.use is Use.PLACE]
        return digest(
            [self.skill, list(self.site), *map(list, (self.writable, self.shown)), seen, list(map(list, self.egress))]
        )

    @property
    def ground(self) -> Ground:
        """How paths are written in manifests here."""
        return Ground(self.site.workspace, self.site.home)


def make_wall(
    policy: SessionPolicy,
    principal: str,
    admitted: Sequence[Request],
    folder: str,
    site: Site,
    login: Login | None = None,
) -> Wall:
    """Return the walls of a skill whose own folder is `folder`. What was `admitted` for this call is inside them."""
    admitted = (*admitted, *(login.requests if login else ()))
    grants = _granted(policy, principal, admitted)
    for other in policy.chain(principal)[1:]:  # who acts on behalf of others may do what each of them may
        grants = _narrowed(grants, _granted(policy, other, admitted))
    ground = Ground(site.workspace, site.home, folder)
    places = [wish for wish in grants.wishes if wish.use is Use.PLACE and isinstance(wish.scope, PathScope)]
    writable = [_place(wish.scope, ground) for wish in places if wish.access.changes]
    shown = [_place(wish.scope, ground) for wish in places if not wish.access.changes]
    names = (literal(one.pattern) for one in grants.variables if isinstance(one, NameScope))
    return Wall(
        principal,
        site,
        tuple(sorted({one for one in writable if one and not lies_in(one, site.workspace)})),
        tuple(sorted({folder, *filter(None, shown)} - {""})),
        grants,
        tuple(sorted(set(grants.egress), key=repr)),
        tuple(sorted({name for name in names if name})),
        login,
    )


def _granted(policy: SessionPolicy, principal: str, admitted: Sequence[Request]) -> Granted:
    """Return what one principal may do without a question: by its manifest, the workspace, persons, and the decision on
    this call.
    """
    loaded = policy.skill(principal)
    trusted = loaded is not None and loaded.level is not Verification.UNVERIFIED
    own = loaded.manifest.permissions if loaded is not None else ()
    entries = [entry for entry in own if trusted or entry.effect is Decision.DENY]
    entries += policy.baseline
    entries += (one.entry._replace(effect=Decision.ALLOW) for one in policy.granted if one.principal == principal)
    found = granted(Manifest("", tuple(entries)))
    more = [one for one in admitted if not _known(found, one)]
    if not more:
        return found
    entries += (Permission(one.capability, (one.scope,), Decision.ALLOW) for one in more)
    return granted(Manifest("", tuple(entries)))


def _narrowed(own: Granted, other: Granted) -> Granted:
    """Return what both grant: of two entries of which one includes the other, the narrower one."""
    egress = _shared(own.egress, other.egress, _holds)
    return own._replace(
        wishes=_shared(own.wishes, other.wishes, lambda wide, one: _is_wished(one, wide)),
        denials=(*own.denials, *other.denials),
        egress=(*egress, *(rule for rule in (*own.egress, *other.egress) if rule.denied)),
        variables=_shared(own.variables, other.variables, covers),
        denied_variables=(*own.denied_variables, *other.denied_variables),
    )


def _shared(own: tuple[T, ...], other: tuple[T, ...], holds: Callable[[T, T], bool]) -> tuple[T, ...]:
    pairs = ((own, other), (other, own))
    return tuple(dict.fromkeys(one for some, rest in pairs for one in some if any(holds(wide, one) for wide in rest)))


def _is_wished(one: Wish, other: Wish) -> bool:
    return (one.use, one.capability) == (other.use, other.capability) and covers(other.scope, one.scope)


def _known(found: Granted, request: Request) -> bool:
    """Whether a request opens nothing that is not open anyway: the same walls serve then."""
    if isinstance(request.scope, HostScope):
        asked = EgressRule(
            request.scope.host, request.scope.port, "fetch" if request.capability == "web.fetch" else "all"
        )
        alone = _is_address(asked.host)  # the proxy reaches one that is not public only where a rule names it
        return any(_holds(one, asked) and (one.host == asked.host or not alone) for one in found.egress)
    wishes = [one for one in found.wishes if one.use is Use.PLACE and one.capability == request.capability]
    return not isinstance(request.scope, PathScope) or any(covers(one.scope, request.scope) for one in wishes)


def _is_address(host: str) -> bool:
    try:
        ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True


def _holds(other: EgressRule, rule: EgressRule) -> bool:
    host = other.host in ("*", rule.host) or (other.host.startswith("*.") and rule.host.endswith(other.host[1:]))
    return not other.denied and host and other.port in (None, rule.port) and other.access in ("all", rule.access)


def _place(scope: object, ground: Ground) -> str:
    """The real file or folder that a scope is about, if a mount can hold it; else empty."""
    if not isinstance(scope, PathScope):
        return ""
    base, rest = ground.base_of(scope)
    if not base or rest not in ((), (DEEP,)) or any(lies_in(base, one) for one in _KERNEL):
        return ""
    real = os.path.realpath(base)
    return "" if any(lies_in(one, real) for one in _OPEN) or not os.path.exists(real) else real


@cache
def rows(section: str) -> tuple[tuple[str, str], ...]:
    """The rows of one section of the table."""
    found: list[tuple[str, str]] = []
    for row in read_table(_TABLE, 2):
        name, why = row.cells
        if not name or not why or posixpath.normpath(name) != name:
            raise DataError(f"{row.where}: `{name}` is no path with a reason", "correct the line")
        if row.section == section:
            found.append((name, why))
    return tuple(found)


def names(section: str) -> tuple[str, ...]:
    """The paths of one section of the table."""
    return tuple(name for name, _ in rows(section))


def git_folders(workspace: str) -> tuple[str, ...]:
    """Folders outside of the workspace in which git keeps its data: a work tree or a part of another repository names them."""
    try:
        text = Path(workspace, ".git").read_text("utf-8")
        own = os.path.realpath(os.path.join(workspace, text.removeprefix("gitdir:").strip()))
        if not text.startswith("gitdir:") or Path(own, "gitdir").read_text("utf-8").strip() != f"{workspace}/.git":
            return ()  # only one that names this work tree in turn
        common = os.path.realpath(os.path.join(own, Path(own, "commondir").read_text("utf-8").strip()))
    except (OSError, ValueError):
        return ()
    return (common,) if lies_in(own, common) and not lies_in(common, workspace) else ()


def kept_objects(workspace: str, folder: Path) -> str:
    """The folder of a repository in which its removed objects are kept while a folder of ours lies in another mount, where they cannot
    get a second name; empty if it does not, or there is no repository. It is made."""
    common = next(iter(git_folders(workspace)), f"{workspace}/.git")
    if not os.path.isdir(common) or os.path.islink(common) or _mount_of(common) == _mount_of(str(folder)):
        return ""
    path = f"{common}/{KEPT_IN_GIT}"
    os.makedirs(path, mode=0o700, exist_ok=True)
    return path


def _mount_of(path: str) -> str:
    handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        lines = Path(f"/proc/self/fdinfo/{handle}").read_text("ascii").splitlines()
    finally:
        os.close(handle)
    return next(line for line in lines if line.startswith("mnt_id:"))


def real_folders(paths: Iterable[str]) -> tuple[str, ...]:
    """Folders that are there, each once, by their real paths."""
    return tuple(dict.fromkeys(os.path.realpath(one) for one in paths if os.path.isdir(one)))
