"""Arguments of `remit keys`."""

from __future__ import annotations

import argparse
from collections.abc import Callable

TITLE = "make keys, show them, and say whose signatures count"
TEXT = """\
  remit keys new release.key                make a key to sign bundles with
  remit keys show release.key.pub           what is this file: a key, a trust root?
  remit keys trust trust.json --add release.key.pub --level formal
                                            whose signatures count, for what and until when
"""
NEW = """\
examples:
  remit keys new release.key                      release.key (secret) and release.key.pub (to give away)
  remit keys new release.key --name Acme-release  with a name that others see

The key is Ed25519. The private file can be read by you alone (mode 0600); it has no password, so keep it where others cannot
go, and keep a copy. Nothing is ever replaced.

exit status:
  0  the key was made
  2  a file exists already, or cannot be written; nothing was made
"""
SHOW = """\
examples:
  remit keys show release.key                the keyid of a private key; never the key itself
  remit keys show release.key.pub            a public key and its name
  remit keys show trust.json                 a trust root: who may attest what, until when
  remit keys show trust.json --format json   for programs

exit status:
  0  it is a key or a trust root
  2  it is neither, or a private key that others can open
"""
TRUST = """\
examples:
  remit keys trust trust.json --add release.key.pub --level formal --root
                                          a first key (the file is made), which may sign the next trust root too
  remit keys trust trust.json --add ci.key.pub --level tested --rank 2 --expires 2027-12-31
  remit keys trust trust.json --add acme.key.pub --level formal --skills 'acme/*' --skills invoices
  remit keys trust trust.json --scope 5f2c9a01 --skills pdf
                                          which skills a key may sign, from now on
  remit keys trust trust.json --revoke 5f2c9a01 --reason stolen
  remit keys trust trust.json --certificate acme-ca.pem --name Acme --level declared
                                          an authority for skill.oms.sig files
  remit keys trust trust.json --identity ci@example.com --issuer https://accounts.example.com --name CI --level tested
  remit keys trust trust.json --sigstore trusted_root.json
                                          what identities are judged with
  remit keys trust trust.json --sign release.key
                                          pass changes on: the next version, signed by the one before
  remit keys trust trust.json --accept    believe this trust root from now on, whatever was believed before

A key signs the skills that --skills names, and no others. A key without names, as in older trust roots, signs any skill that
no other key names and no other signer has published. Versions count for each signer by itself. A name that looks like one of
another signer is refused.

Levels are unverified, declared, tested and formal: the highest that a signer may attest. Ranks, compartments and
releasability say for which labels it may speak. What else a trust root can say (the clearance of the reader, minimum levels
by capability, thresholds) is written in its file; `remit schema trust-root` describes it.

Whoever verifies remembers the first trust root that it sees, and from then on takes only successors that enough keys of the
one before have signed. --sign writes the signatures beside the file (trust.json.sigs): give both away. Of several signers each
runs --sign once, one after the other.

exit status:
  0  done
  2  the command line is wrong, a file cannot be read, or the trust root would not hold together; nothing was written
"""

LEVELS = ("unverified", "declared", "tested", "formal")


def add_keys(keys: argparse.ArgumentParser, add: Callable[..., argparse.ArgumentParser]) -> None:
    """The arguments of `remit keys`."""
    inner = keys.add_subparsers(dest="action", metavar="ACTION", required=True)
    new = add(inner, "new", "make a key", NEW)
    new.add_argument("file", metavar="FILE", help="where the private key goes; the public one goes to FILE.pub")
    new.add_argument("--name", default="", help="the owner's name, stored with the public key")
    _format(new)
    show = add(inner, "show", "say what a key or trust root is", SHOW)
    show.add_argument("file", metavar="FILE", help="a private key, a public key or a trust root")
    _format(show)
    _trust(add(inner, "trust", "say whose signatures count", TRUST))


def _trust(trust: argparse.ArgumentParser) -> None:
    trust.add_argument("root", metavar="ROOT", help="the file of the trust root; it is made if it is not there")
    what = trust.add_argument_group("what to change").add_mutually_exclusive_group()
    what.add_argument("--add", metavar="KEY", help="trust a public key")
    what.add_argument("--scope", metavar="KEYID", help="say which skills a key may sign (--skills), and no others")
    what.add_argument("--revoke", metavar="KEYID", help="trust a key no more (its first 8 characters will do)")
    what.add_argument("--certificate", metavar="FILE", help="trust an authority, or a signer of models, given as PEM")
    what.add_argument("--identity", metavar="WHO", help="trust an identity that signs with Sigstore")
    what.add_argument("--sigstore", metavar="FILE", help="judge identities with this trusted root of Sigstore")
    how = trust.add_argument_group("how far to trust it")
    how.add_argument("--level", choices=LEVELS, help="the highest level that it may attest")
    how.add_argument("--name", default="", help="whose it is (default for a key: the name in its file)")
    how.add_argument("--rank", metavar="N", type=_whole, default=0, help="up to which rank it may speak (default: 0)")
    how.add_argument("--compartment", metavar="NAME", action="append", default=[], help="may be repeated")
    how.add_argument("--releasable-to", metavar="NAME", action="append", default=[], help="may be repeated")
    how.add_argument(
        "--skills", metavar="NAME", action="append", default=[],
        help="a key: signs this skill, or with `acme/*` all whose names begin so; may be repeated (default: any that no other key names)",
    )  # fmt: skip
    how.add_argument("--starts", metavar="DATE", help="a key: from when on it counts")
    how.add_argument("--expires", metavar="DATE", help="a key: from when on it counts no more")
    how.add_argument("--root", dest="may_rotate", action="store_true", help="a key: it may sign the next trust root")
    how.add_argument(
        "--subject", metavar="NAME", action="append", default=[], help="an authority: only for these signers"
    )
    how.add_argument("--issuer", metavar="URL", help="an identity: who vouches for it")
    how.add_argument("--reason", metavar="TEXT", help="why a key is revoked")
    then = trust.add_argument_group("and then")
    then.add_argument(
        "--sign", metavar="KEY", action="append", default=[], help="sign the next version; may be repeated"
    )
    then.add_argument("--accept", action="store_true", help="remember this trust root as the one to believe")
    then.add_argument("--state", metavar="DIR", help="where that is remembered (default: below ~/.local/state)")
    _format(trust)


def _format(command: argparse.ArgumentParser) -> None:
    command.add_argument("--format", choices=("text", "json"), default="text", help="default: text")


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise argparse.ArgumentTypeError(f"`{text}` is not a whole number")
    return int(text)
