"""Folders of an installation, with keys, settings and certificates. Existing keys are never replaced.

On one machine all parties share a folder. On separate machines there is a folder for each party with its settings, its
certificate and only its own secrets:

    FOLDER/p0 p1 executor gateway           one for each machine
    FOLDER/agent  monitor                   certificates for hosts of agents, and for readers of health and metrics
    FOLDER/office                           keys of operator, approver and certificates, policy and lists: on no machine that runs a party

The policy is built in the office: servers get tables, gateway and executor a layout, and none of them a list.
"""

from __future__ import annotations

import ipaddress
import json
import os
import re
import secrets
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.authority.program.language import read_policy
from remit.authority.settings import HOURS
from remit.authority.values.action import LIFETIME
from remit.authority.wire.certificates import make_authority, make_certificate, read_authority
from remit.bundle.keys import new_key
from remit.core.errors import InputError, UsageError
from remit.core.shape import Record, Text, Whole
from remit.gateway.deployment.files import BUILT, EFFECTS, GIVEN, POLICY, build_policy, create, put_policy, replace
from remit.gateway.deployment.plan import ORDER, PUBLIC, VISITORS, Network, Party, separate_machines, single_machine
from remit.gateway.private_files import make_private
from remit.gateway.state import KEY_BYTES

if TYPE_CHECKING:
    from pathlib import Path


_SIGNING = ("p0", "p1", "approver", "operator")
_LONGEST = 107 - len("/run/executor.sock")  # bytes: the kernel's limit for the path of a socket
_FOLDERS = ("keys", "policy", BUILT, "run", "state", "log", "workspace")


def make_folder(folder: Path, policy: Path | None, hours: int = 0) -> tuple[Party, ...]:
    """Create or update the folder and return its parties.

    A policy that does not compile is refused before anything starts.

    `hours`: how long a request waits for an approver; 0 keeps the present value.
    """
    if policy is not None:
        read_policy(policy)
    if len(os.fsencode(folder)) > _LONGEST:
        message = f"the name of `{folder}` is too long for sockets in it"
        raise InputError(message, f"choose a --folder with at most {_LONGEST} bytes in its name")
    try:
        for name in ("", *_FOLDERS):
            make_private(folder / name)
    except OSError as error:
        message = f"`{folder}` cannot be made: {(error.strerror or 'error').lower()}"
        raise InputError(message, "choose another --folder, where you may write") from None
    _check_private(folder)
    for name in _SIGNING:
        _key(folder / "keys", name)
    create(folder / "keys" / "handle.key", secrets.token_bytes(KEY_BYTES))
    create(folder / "effects.json", EFFECTS)
    put_policy(folder / "policy", policy)
    build_policy(folder / "policy" / POLICY, folder / BUILT)
    kept = folder / "gateway.json"
    before = json.loads(kept.read_bytes()).get("confirm_hours", HOURS) if kept.exists() else HOURS
    parties = single_machine(folder / "run", os.getuid(), hours or before)
    for party in parties:
        _replace_json(folder / f"{party.role}.json", party.settings)
    return parties


OFFICE = "office"
_OWN = ("p0", "p1")  # their keys are made in the folder of the server; not even the office has them
_OFFICE_KEYS = ("operator", "approver")
_NAME = re.compile(r"(?!-)[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})*\.?")
_LAST = 65_535
_LONGEST_HOSTS = 4_096
# of which there may be more than one, each with the same folder and stores that they share
_SEVERAL = ("executor", "gateway")
# by the name of a file in `keys` with an address: what it replaces
_SHARED = {"memory-server": "memory", "state-server": ""}
_PORT = 7440
_KEPT = "network.json"
_FORM = Record(
    {
        "hosts": Record({role: Text(_LONGEST_HOSTS) for role in ORDER}),
        "port": Whole(1, _LAST),
        "listen": Text(64),
        "state": Text(4_096),
        "confirm_hours": Whole(1, LIFETIME // 3600),
    },
    frozenset({"confirm_hours"}),
)


class PartyFolders(NamedTuple):
    """Where the parties run, and where each keeps its state."""

    network: Network
    state: str = "/var/lib/remit"
    confirm_hours: int = HOURS  # how long a request waits for an approver

    def changed(
        self, hosts: dict[str, str], port: int | None, listen: str | None, state: str | None, hours: int | None = None
    ) -> PartyFolders:
        """Return a copy with the given values replaced."""
        old = self.network
        network = Network({**old.hosts, **hosts}, port or old.port, listen or old.listen)
        there = os.path.abspath(state) if state else self.state  # noqa: PTH100  links on another machine
        return PartyFolders(network, there, hours or self.confirm_hours)


def kept_network(folder: Path, *, must: bool = False) -> PartyFolders:
    """Return the saved locations of a folder's parties; without any, the defaults or, with `must`, UsageError."""
    kept = folder / OFFICE / _KEPT
    if not kept.exists():
        if must:
            raise UsageError(f"there is no installation in `{folder}`", "make it: remit deploy FOLDER")
        return PartyFolders(Network({role: role for role in ORDER}, _PORT, "0.0.0.0"))  # noqa: S104  peers show certificates
    try:
        told = json.loads(kept.read_bytes())
    except ValueError:
        told = None
    if fault := _FORM.fault(told, _KEPT):
        raise InputError(f"`{kept}`: {fault}", "say hosts, port, address and state again, in an empty folder")
    return PartyFolders(
        Network(told["hosts"], told["port"], told["listen"]), told["state"], told.get("confirm_hours", HOURS)
    )


def make_folders(folder: Path, placed: PartyFolders, policy: Path | None, *, renew: bool = False) -> tuple[Party, ...]:
    """Create or update the folders of all parties.

    A policy that does not compile is refused before anything is written.
    """
    network = placed.network
    _check(network)
    if policy is not None:
        read_policy(policy)
    begun = (folder / OFFICE).exists()
    for name in ("", OFFICE, *ORDER, *VISITORS):
        _folder(folder / name, made_before=begun and bool(name))
    for name in (OFFICE, *ORDER, *VISITORS):
        _folder(folder / name / "tls")
    _folder(folder / OFFICE / BUILT)
    for name in (OFFICE, *ORDER):
        _folder(folder / name / "keys")
        _folder(folder / name / "policy")
    put_policy(folder / OFFICE / "policy", policy)
    _make_keys(folder)
    _make_certificates(folder, network, renew=renew)
    build_policy(folder / OFFICE / "policy" / POLICY, folder / OFFICE / BUILT)
    create(folder / "executor" / "effects.json", EFFECTS)
    kept = {**network._asdict(), "state": placed.state, "confirm_hours": placed.confirm_hours}
    _replace_json(folder / OFFICE / _KEPT, kept)
    parties = separate_machines(network, placed.state, placed.confirm_hours)
    for party in parties:
        _use_shared(folder / party.role, party.settings["files"])
        given = GIVEN[party.role]
        replace(folder / party.role / "policy" / given, (folder / OFFICE / BUILT / given).read_bytes())
        _replace_json(folder / party.role / "settings.json", party.settings)
    return parties


def _use_shared(folder: Path, files: dict[str, str]) -> None:
    """Use the shared stores for which the operator supplied an address."""
    for name, replaced in _SHARED.items():
        if (folder / "keys" / name).exists():
            files.pop(replaced, None)
            files[name] = f"keys/{name}"


def _check(network: Network) -> None:
    """Check that hosts are names or addresses. A host named like another party would give its certificate two names."""
    for role, host in ((role, host) for role, hosts in network.hosts.items() for host in hosts.split(",")):
        if host != network.hosts[role] and role not in _SEVERAL:
            raise UsageError(f"there is one {role}", "give one host; executors and gateways may have several")
        if host != role and host in (*ORDER, *VISITORS):
            raise UsageError(
                f"the host of {role} is called `{host}`, as another party is", "give its full name or its address"
            )
        if not _address(host) and not _NAME.fullmatch(host):
            raise UsageError(f"`{host}` is neither a name nor an address", "write ROLE=HOST, as in p0=p0.example.org")
    if not _address(network.listen):
        raise UsageError(
            f"`{network.listen}` is not an address to listen at", "0.0.0.0 is all of a machine, :: with IPv6"
        )
    if not 1024 <= network.port <= _LAST - 20:
        raise UsageError(f"the first port cannot be {network.port}", "give one from 1024 to 65515")


def _address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def _folder(path: Path, *, made_before: bool = False) -> None:
    if made_before and not path.exists():
        message = f"`{path}` is gone, and with it the keys of {path.name}"
        raise InputError(message, "restore it, or start over in an empty folder")
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    _check_private(path)


def _check_private(path: Path) -> None:
    found = path.stat()
    if found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise InputError(f"`{path}` can be entered by others", f"chmod 700 {path}")


def _replace_json(path: Path, value: Any) -> None:
    replace(path, json.dumps(value, indent=2).encode() + b"\n")


def _make_keys(folder: Path) -> None:
    for name in _OFFICE_KEYS:
        _key(folder / OFFICE / "keys", name)
    for role in _OWN:
        _key(folder / role / "keys", role)
    create(folder / "gateway" / "keys" / "handle.key", secrets.token_bytes(KEY_BYTES))
    for role, names in PUBLIC.items():
        for name in names:
            source = folder / (name if name in _OWN else OFFICE) / "keys" / f"{name}.key.pub"
            replace(folder / role / "keys" / source.name, source.read_bytes())


def _key(keys: Path, name: str) -> None:
    if not (keys / f"{name}.key").exists():
        new_key(keys / f"{name}.key", name)


def _make_certificates(folder: Path, network: Network, *, renew: bool) -> None:
    office = folder / OFFICE / "tls"
    signing = read_authority(office) if (office / "authority.crt").exists() else make_authority(office)
    for name in (*ORDER, *VISITORS):
        place = folder / name / "tls"
        host = network.hosts.get(name, name)
        known = place / "host"
        told = known.read_text("utf-8") if known.exists() else ""
        if renew or told != host:  # a host that moved needs another certificate
            for file in (f"{name}.crt", f"{name}.key"):
                (place / file).unlink(missing_ok=True)
            make_certificate(signing, place, name, host)
            replace(known, host.encode())
        replace(place / "authority.crt", (office / "authority.crt").read_bytes())
