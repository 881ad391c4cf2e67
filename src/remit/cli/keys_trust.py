"""`remit keys trust`: changes a trust root, signs it as the successor of the previous one, accepts it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.bundle import keys as k
from remit.bundle import rotation, trust_edit
from remit.bundle.certificates import check_anchor
from remit.bundle.dsse import Envelope, add_signature
from remit.bundle.files import read_small
from remit.bundle.names import is_pattern
from remit.bundle.refusal import Refusal
from remit.bundle.store import state_folder
from remit.bundle.trust import Anchor, Authority, Identity, TrustedKey, TrustRoot
from remit.bundle.trust_read import MAX_PEM, MAX_SIGSTORE, parse_moment, parse_trust_root, read_trust_root
from remit.bundle.trust_write import render_root, root_digest
from remit.cli.atomic_write import save
from remit.cli.keys import tell
from remit.core.errors import RemitError, TrustError, UsageError
from remit.manifest.model import Verification
from remit.report.screen import visible

if TYPE_CHECKING:
    import argparse


_GRANTED = ("level", "name", "rank", "compartment", "releasable_to")
# which options apply to which change; `None` is no change
_BELONGS: dict[str | None, tuple[str, ...]] = {
    "add": (*_GRANTED, "skills", "starts", "expires", "may_rotate"),
    "scope": ("skills",),
    "revoke": ("reason",),
    "certificate": (*_GRANTED, "subject"),
    "identity": (*_GRANTED, "issuer"),
    "sigstore": (),
    None: (),
}


class _TrustStep(NamedTuple):
    """A step: the trust root afterwards, and the messages for a person."""

    root: TrustRoot
    said: str = ""


def trust(args: argparse.Namespace) -> int:
    """Run the command. Nothing is written before everything is known to be consistent."""
    _no_idle_options(args)
    path, now = Path(args.root), datetime.now(UTC).replace(microsecond=0)
    before = read_trust_root(path) if os.path.lexists(path) else None
    edited = _edited(args, before or TrustRoot(1), now)
    if edited is None and not (args.sign or args.accept):
        raise UsageError("nothing to change", f"`remit keys show {path}` shows it; --help says what can be changed")
    root, said = edited or _TrustStep(before or _missing(path))
    # the result must parse back: a given text may be one that the file cannot hold
    parse_trust_root(render_root(root).encode(), str(path))
    lines = [said] if said else []
    chain: tuple[Envelope, ...] | None = None
    if args.sign:
        root, chain = _signed(args.sign, before or _missing(path), root, rotation.read_signatures(path))
        count = len(chain[-1].signatures)
        lines.append(
            f"signed as version {root.version}: {count} of {(_previous(chain, before) or root).root_threshold}"
        )
    _write(path, root, before, chain)
    if args.accept:
        lines.append(_accept(Path(args.state) if args.state else state_folder(), root))
    lines += _notes(root, before, now, signed=bool(args.sign))
    value: dict[str, Any] = {"file": str(path), "version": root.version, "digest": root_digest(root), "done": lines}
    tell(
        args.format, value, [f"{visible(str(path))}: version {root.version}", *(f"  {visible(line)}" for line in lines)]
    )
    return 0


def _no_idle_options(args: argparse.Namespace) -> None:
    """Refuse an option that would be ignored: it is a misunderstanding about trust."""
    change = next((name for name in _BELONGS if name and getattr(args, name)), None)
    for option in sorted({option for options in _BELONGS.values() for option in options}):
        if getattr(args, option) and option not in _BELONGS[change]:
            name = {"may_rotate": "root"}.get(option, option).replace("_", "-")
            about = f"says nothing about --{change}" if change else "goes with a change"
            raise UsageError(f"--{name} {about}", "`remit keys trust --help` shows what goes together")
    if args.state and not args.accept:
        raise UsageError("--state goes with --accept", "leave it out: only one value is stored here")


def _missing(path: Path) -> TrustRoot:
    raise TrustError(f"there is no trust root `{path}`", "begin one with `--add KEY.pub --level LEVEL`")


def _edited(args: argparse.Namespace, root: TrustRoot, now: datetime) -> _TrustStep | None:
    if args.add:
        return _add_key(args, root)
    if args.scope:
        if not args.skills:
            raise UsageError("it is not said which skills the key may sign", "give their names with --skills")
        skills = _skills(args.skills)
        after = trust_edit.set_skills(root, args.scope, skills)
        return _TrustStep(after, f"the key {args.scope} signs {', '.join(skills)} from now on, and nothing else")
    if args.revoke:
        if not args.reason:
            raise UsageError("a key is revoked for a reason", "say it with --reason: others will read it")
        return _TrustStep(
            trust_edit.revoke(root, args.revoke, args.reason, now), f"revoked the key {args.revoke}: {args.reason}"
        )
    if args.certificate:
        pem = _text(args.certificate, "the certificate", MAX_PEM).replace("\r\n", "\n")
        anchor = Anchor(pem, _authority(args, args.name), tuple(sorted(set(args.subject))))
        check_anchor(anchor)
        return _TrustStep(root._replace(certificates=(*root.certificates, anchor)), f"added the authority {args.name}")
    if args.identity:
        if not args.issuer:
            raise UsageError("an identity is only a claim", "say who vouches for it with --issuer")
        identity = Identity(args.identity, args.issuer, _authority(args, args.name))
        return _TrustStep(root._replace(identities=(*root.identities, identity)), f"added the identity {args.identity}")
    if args.sigstore:
        text = _text(args.sigstore, "the trusted root of Sigstore", MAX_SIGSTORE)
        return _TrustStep(root._replace(sigstore_root=text), "added a trusted root of Sigstore")
    return None


def _text(file: str, what: str, limit: int) -> str:
    data = read_small(Path(file), what, limit)
    if k.is_private(data):
        raise TrustError(f"`{file}` is a private key", "give what others may see")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise TrustError(f"{what} `{file}` is not text", "give the file as text") from None


def _add_key(args: argparse.Namespace, root: TrustRoot) -> _TrustStep:
    data = read_small(Path(args.add), "the public key", k.MAX_FILE)
    if k.is_private(data):
        raise TrustError(f"`{args.add}` is a private key", f"give the public one: `{args.add}.pub`")
    key, own_name = k.parse_public(data, args.add)
    granted = _authority(args, args.name or own_name)
    skills = _skills(args.skills)
    trusted = TrustedKey(key, granted, _moment(args.starts), _moment(args.expires), skills=skills)
    after = trust_edit.add_key(root, trusted, may_rotate=args.may_rotate)
    named = ", ".join(skills) or "any skill that no other key names (--skills narrows it)"
    return _TrustStep(after, f"added the key {key.keyid} ({granted.name}), up to {granted.level}, for {named}")


def _skills(names: list[str]) -> tuple[str, ...]:
    if wrong := next((name for name in names if not is_pattern(name)), ""):
        raise UsageError(f"`{wrong}` names no skills", "give the name of a skill, or a beginning such as `acme/*`")
    return tuple(sorted(set(names)))


def _authority(args: argparse.Namespace, name: str) -> Authority:
    if not args.level:
        raise UsageError("it is not said how far to trust it", "give the highest level that it may attest with --level")
    if not name:
        raise UsageError("it has no name", "give one with --name: it is what others will see")
    names = (tuple(sorted(set(args.compartment))), tuple(sorted(set(args.releasable_to))))
    return Authority(k.check_name(name), Verification(args.level), args.rank, *names)


def _moment(text: str | None) -> datetime | None:
    """Return a date, which begins at midnight in UTC, or a time."""
    if text is None:
        return None
    found = parse_moment(text) or parse_moment(f"{text}T00:00:00Z")
    if found is None:
        raise UsageError(f"`{text}` is not a date", "write it as 2027-12-31, or as 2027-12-31T12:00:00Z")
    return found


def _previous(chain: Sequence[Envelope], before: TrustRoot | None) -> TrustRoot | None:
    """Return whose keys sign the last envelope of a chain: the trust root in the one before it, or the existing one."""
    return rotation.signed_root(chain[-2]) if len(chain) > 1 else before


def _signed(
    files: Sequence[str], before: TrustRoot, root: TrustRoot, chain: tuple[Envelope, ...]
) -> tuple[TrustRoot, tuple[Envelope, ...]]:
    """Return the next version with its signatures; or one more signature on the version that is signed already."""
    keys = [k.read_private(Path(file)) for file in files]
    tail = rotation.signed_root(chain[-1]) if chain else None
    if tail is None or root_digest(tail) != root_digest(root):
        root = root._replace(version=(tail or before).version + 1)
        chain = (*chain, rotation.sign_root(root, ()))
        previous = tail or before
    else:  # the first trust root of a chain is in no file any more: the verifier knows it
        previous = _previous(chain, None) or root
    for key in keys:
        if key.public.keyid not in previous.roots:
            message = f"the key {key.public.keyid} may not sign the next trust root"
            raise TrustError(message, f"sign with a key that version {previous.version} names in `roots`")
        chain = (*chain[:-1], add_signature(chain[-1], key))
    return root, chain


def _write(path: Path, root: TrustRoot, before: TrustRoot | None, chain: Sequence[Envelope] | None) -> None:
    """Write the signatures first: a trust root without them is refused, signatures without one are ignored."""
    try:
        if chain is not None:
            save(path.with_name(path.name + rotation.SUFFIX), rotation.render_chain(chain))
        if root != before:
            save(path, render_root(root))
    except OSError as error:
        reason = (error.strerror or "error").lower()
        raise TrustError(f"`{path}` cannot be written: {reason}", "give a place that you can write to") from None


def _accept(folder: Path, root: TrustRoot) -> str:
    pinned = rotation.accept(folder, root)
    if isinstance(pinned, Refusal):
        raise RemitError(pinned.reason, pinned.remedy)
    return f"accepted: version {pinned.version} is believed from now on"


def _notes(root: TrustRoot, before: TrustRoot | None, now: datetime, *, signed: bool) -> list[str]:
    notes = []
    if root.roots and not trust_edit.can_be_rotated(root, now):
        notes.append("note: fewer valid keys are left than must sign the next trust root")
    if before is not None and root != before and not signed:
        notes.append("note: those who accepted this version will refuse the change until it is signed (--sign)")
    return notes
