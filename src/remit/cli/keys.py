"""`remit keys new` and `remit keys show`. Private material is never printed."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from remit.bundle import keys as k
from remit.bundle.files import read_small
from remit.bundle.refusal import Refusal
from remit.bundle.trust import TrustRoot, authority
from remit.bundle.trust_read import MAX_BYTES, parse_trust_root
from remit.bundle.trust_write import root_digest, root_value
from remit.report.screen import visible
from remit.report.trust_text import root_lines

if TYPE_CHECKING:
    import argparse


def keys(args: argparse.Namespace) -> int:
    """Run the command."""
    if args.action == "trust":
        from remit.cli.keys_trust import trust  # noqa: PLC0415

        return trust(args)
    return new(args) if args.action == "new" else show(args)


def new(args: argparse.Namespace) -> int:
    """Make a key."""
    path = Path(args.file)
    made = k.new_key(path, args.name)
    value = {"keyid": made.public.keyid, "name": args.name, "private": str(path), "public": f"{path}.pub"}
    tell(
        args.format,
        value,
        [
            f"keyid {made.public.keyid}",
            f"  {visible(str(path))}: the private key; keep it secret, and keep a copy",
            f"  {visible(str(path))}.pub: the public key, to give away",
        ],
    )
    return 0


def show(args: argparse.Namespace) -> int:
    """Print what a file contains."""
    path = Path(args.file)
    data = read_small(path, "the file", MAX_BYTES)
    if k.is_private(data):
        public, name, what = k.read_private(path).public, "", "private key"
    elif data.lstrip()[:1] == b"{":
        return _show_root(args, parse_trust_root(data, args.file))
    else:
        (public, name), what = k.parse_public(data, args.file), "public key"
    value = {"kind": what.replace(" ", "-"), "file": args.file, "keyid": public.keyid, "public": public.text}
    lines = [
        f"{visible(args.file)}: {what}, Ed25519",
        f"  keyid   {public.keyid}",
        f"  public  {public.text}",
        *([f"  name    {visible(name)}"] if name else []),
    ]
    tell(args.format, value | ({"name": name} if name else {}), lines)
    return 0


def _show_root(args: argparse.Namespace, root: TrustRoot) -> int:
    now = datetime.now(UTC)
    value = {"kind": "trust-root", "file": args.file, "digest": root_digest(root), "standing": standing(root, now)}
    tell(args.format, value | {"root": root_value(root)}, root_lines(root, args.file, now))
    return 0


def standing(root: TrustRoot, now: datetime) -> dict[str, str]:
    """Return by keyid: `valid`, or the code of why a key is not accepted now."""
    found = {key.keyid: authority(root, key.keyid, now) for key in root.keys}
    return {keyid: said.code if isinstance(said, Refusal) else "valid" for keyid, said in found.items()}


def tell(form: str, value: dict[str, Any], lines: Iterable[str]) -> None:
    """Print the key or the trust root."""
    print(json.dumps(value, indent=2) if form == "json" else "\n".join(lines))
