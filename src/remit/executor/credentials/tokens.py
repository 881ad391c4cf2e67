"""Workload tokens and delegations, as values. Signatures cover a domain and the canonical form.

A workload token states that its holder is a certain process; the operator signs it. A delegation states that its subject
may ask for some intents, towards some sinks, in one session, until a time. The operator signs the first of a chain; each further one
is signed with the key named by its predecessor, and names its predecessor.
"""

from __future__ import annotations

import base64
import binascii
import json
from functools import lru_cache
from typing import Any, NamedTuple

from remit.authority.intents import intents
from remit.authority.sinks import ANYWHERE, SINK
from remit.core.digest import canonical
from remit.core.errors import AuthorityError, InputError
from remit.core.shape import HEX, Items, OneOf, Record, Text, Whole, Word

VERSION = 1
OPERATOR = "operator"  # who issues workload tokens and the first delegation
LONGEST_CHAIN = 4
MOST_BYTES = 32 * 1024
_WORKLOAD, _DELEGATION = b"remit/workload-token/v1\0", b"remit/delegation-token/v1\0"
_LATEST = 2**53 - 1
_NAME = Text(200, r"[A-Za-z0-9][A-Za-z0-9._:@/-]*")
_ID = Text(32, r"[0-9a-f]{32}")
_KID = Text(64, r"[A-Za-z0-9._-]+")
_SIGNATURE = Text(128, r"[0-9a-f]{128}")
_AGAIN = "pass on the tokens as they were issued"
_WORKLOAD_FORM = Record({
    "v": Whole(VERSION, VERSION), "kind": Word(("workload",)), "kid": _KID, "sub": _NAME,
    "uid": Whole(-1, 2**32 - 1), "exp": Whole(0, _LATEST), "jti": _ID,
})  # fmt: skip
_DELEGATION_FORM = Record({
    "v": Whole(VERSION, VERSION), "kind": Word(("delegation",)), "kid": _KID, "iss": _NAME, "sub": _NAME,
    "key": OneOf((HEX, Text(0, empty=True))), "session": _NAME, "exp": Whole(0, _LATEST), "jti": _ID,
    "parent": OneOf((_ID, Text(0, empty=True))),
    "scope": Record({"intents": Items(Text(64, r"\*|[A-Za-z]+"), 64), "sinks": Items(SINK, 256)}),
})  # fmt: skip
FORM = Record({
    "workload": Record({"token": _WORKLOAD_FORM, "signature": _SIGNATURE}),
    "delegations": Items(Record({"token": _DELEGATION_FORM, "signature": _SIGNATURE}), LONGEST_CHAIN),
})  # fmt: skip


class Scope(NamedTuple):
    """Rights: intents, and sinks that they may reach. `*` is all."""

    intents: frozenset[str]
    sinks: frozenset[str]

    def within(self, other: Scope) -> bool:
        """Return whether another scope includes this one."""
        return all(ANYWHERE in theirs or mine <= theirs for mine, theirs in zip(self, other, strict=True))

    def to_json(self) -> dict[str, list[str]]:
        """Return sorted JSON."""
        return {"intents": sorted(self.intents), "sinks": sorted(self.sinks)}


class Workload(NamedTuple):
    """The identity of a process."""

    kid: str  # the operator's key
    sub: str
    uid: int  # the user whose processes may use it; -1: any
    exp: int
    jti: str

    def signed(self) -> bytes:
        """Return the bytes that the operator signs."""
        return _WORKLOAD + canonical(self.to_json())

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {"v": VERSION, "kind": "workload", **self._asdict()}


class Delegation(NamedTuple):
    """The rights of a subject to act on behalf of the issuer."""

    kid: str  # of the operator's key, or `-` where the delegation before names the key
    iss: str
    sub: str
    key: str  # the public key with which `sub` may delegate further; empty: it may not
    scope: Scope
    session: str
    exp: int
    jti: str
    parent: str  # the delegation from which the rights come; empty: the operator

    def signed(self) -> bytes:
        """Return the bytes that the issuer signs."""
        return _DELEGATION + canonical(self.to_json())

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {"v": VERSION, "kind": "delegation", **self._asdict(), "scope": self.scope.to_json()}


class SignedWorkload(NamedTuple):
    """A workload token, not yet verified."""

    token: Workload
    signature: bytes


class SignedDelegation(NamedTuple):
    """A delegation, not yet verified."""

    token: Delegation
    signature: bytes


class Credential(NamedTuple):
    """The credential of a caller: its workload token, and the delegations from the operator to it."""

    workload: SignedWorkload
    delegations: tuple[SignedDelegation, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {"workload": _shown(self.workload), "delegations": [_shown(one) for one in self.delegations]}

    def text(self) -> str:
        """Return the value of the HTTP header."""
        return base64.urlsafe_b64encode(canonical(self.to_json())).decode("ascii")


def _shown(signed: SignedWorkload | SignedDelegation) -> dict[str, Any]:
    return {"token": signed.token.to_json(), "signature": signed.signature.hex()}


@lru_cache(maxsize=256)
def read_credential(text: str) -> Credential:
    """Read the credential in a header; AuthorityError if it is not in canonical form. Cached, since callers repeat it."""
    if len(text) > MOST_BYTES:
        raise AuthorityError("a credential is too long", _AGAIN)
    try:
        data = base64.b64decode(text.encode("ascii"), altchars=b"-_", validate=True)
        value = json.loads(data.decode())
        plain = canonical(value) == data
    except (ValueError, binascii.Error, RecursionError, InputError):
        raise AuthorityError("a credential cannot be read", _AGAIN) from None
    if not plain:
        raise AuthorityError("a credential is not in its canonical spelling", _AGAIN)
    return parse_credential(value)


def parse_credential(value: Any) -> Credential:
    """Read a credential from a JSON value; AuthorityError if it is malformed."""
    try:
        text = json.dumps(value)
    except (ValueError, TypeError, RecursionError):
        raise AuthorityError("a credential cannot be read", _AGAIN) from None
    return _parsed(text)


@lru_cache(maxsize=256)
def _parsed(text: str) -> Credential:
    """Parse a credential, cached, since callers repeat it."""
    value = json.loads(text)
    if fault := FORM.fault(value, "credential"):
        raise AuthorityError(fault, _AGAIN)
    workload, chain = value["workload"], value["delegations"]
    return Credential(
        SignedWorkload(Workload(**_own(workload["token"])), bytes.fromhex(workload["signature"])),
        tuple(SignedDelegation(_delegation(one["token"]), bytes.fromhex(one["signature"])) for one in chain),
    )


def _delegation(told: dict[str, Any]) -> Delegation:
    own = _own(told)
    named = {name: frozenset(own["scope"][name]) for name in Scope._fields}
    if any(len(named[name]) != len(own["scope"][name]) for name in named) or not known_intents(named["intents"]):
        raise AuthorityError("a scope names something twice, or what is not an intent", _AGAIN)
    made = Delegation(**{**own, "scope": Scope(**named)})
    if made.to_json() != told:
        raise AuthorityError("a scope is not in its order", _AGAIN)
    return made


def _own(told: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in told.items() if name not in ("v", "kind")}


def known_intents(names: frozenset[str]) -> bool:
    """Return whether all of these are intents, or `*`."""
    return names <= {*intents(), ANYWHERE}
