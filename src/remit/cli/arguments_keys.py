"""Arguments of `remit keys`."""

from __future__ import annotations

import argparse
from collections.abc import Callable

TITLE = "create keys, show them, and manage trust roots"
TEXT = """\
  remit keys new release.key                create a key to sign bundles
  remit keys show release.key.pub           show what a file is: a key or a trust root
  remit keys trust trust.json --add release.key.pub --level formal
                                            whose signatures count, for what and until when
"""
NEW = """\
examples:
  remit keys new release.key                      release.key (secret) and release.key.pub (public)
  remit keys new release.key --name Acme-release  with a name that others see

The key is Ed25519. Only you can read the private file (mode 0600). It has no password: keep it where others have no access,
and keep a copy. Existing files are never replaced.

exit status:
  0  the key was created
  2  a file exists already, or cannot be written; nothing was created
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
                                          a first key (creates the file), which may also sign the next trust root
  remit keys trust trust.json --add ci.key.pub --level tested --rank 2 --expires 2027-12-31
  remit keys trust trust.json --add acme.key.pub --level formal --skills 'acme/*' --skills invoices
  remit keys trust trust.json --scope 5f2c9a01 --skills pdf
                                          which skills a key may sign, from now on
  remit keys trust trust.json --revoke 5f2c9a01 --reason stolen
  remit keys trust trust.json --certificate acme-ca.pem --name Acme --level declared
                                          an authority for skill.oms.sig files
  remit keys trust trust.json --identity ci@example.com --issuer https://accounts.example.com --name CI --level tested
  remit keys trust trust.json --sigstore trusted_root.json
                                          the trusted root for checking identities
  remit keys trust trust.json --sign release.key
                                          write the next version, signed by a key of the current one
  remit keys trust trust.json --accept    use this trust root from now on, instead of the remembered one

A key may sign only the skills that --skills names. A key without names, as in older trust roots, may sign any skill that no
other key names and no other signer has published. Each signer has its own versions. A name that looks like one of another
signer is refused.

Levels are unverified, declared, tested and formal: the highest that a signer may attest. Ranks, compartments and
releasability say which labels it may use. To set anything else (the clearance of the reader, minimum levels by capability,
thresholds), edit the file; `remit schema trust-root` describes it.

A verifier remembers the first trust root that it sees, and from then on accepts only successors that enough keys of the
previous one have signed. --sign writes the signatures next to the file (trust.json.sigs): publish both files. If several
signers are required, each runs --sign once.

exit status:
  0  done
  2  the command line is wrong, a file cannot be read, or the trust root would be inconsistent; nothing was written
"""

LEVELS = ("unverified", "declared", "tested", "formal")


def add_keys(keys: argparse.ArgumentParser, add: Callable[..., argparse.ArgumentParser]) -> None:
    """The arguments of `remit keys`."""
    inner = keys.add_subparsers(dest="action", metavar="ACTION", required=True)
    new = add(inner, "new", "create a key", NEW)
    new.add_argument("file", metavar="FILE", help="where the private key goes; the public one goes to FILE.pub")
    new.add_argument("--name", default="", help="the owner's name, stored with the public key")
    _format(new)
    show = add(inner, "show", "show a key or trust root", SHOW)
    show.add_argument("file", metavar="FILE", help="a private key, a public key or a trust root")
    _format(show)
    _trust(add(inner, "trust", "change whose signatures count", TRUST))


def _trust(trust: argparse.ArgumentParser) -> None:
    trust.add_argument("root", metavar="ROOT", help="the file of the trust root; created if it does not exist")
    what = trust.add_argument_group("what to change").add_mutually_exclusive_group()
    what.add_argument("--add", metavar="KEY", help="trust a public key")
    what.add_argument("--scope", metavar="KEYID", help="set the only skills that a key may sign (--skills)")
    what.add_argument("--revoke", metavar="KEYID", help="revoke a key (the first 8 characters are enough)")
    what.add_argument("--certificate", metavar="FILE", help="trust an authority, or a signer of models (PEM)")
    what.add_argument("--identity", metavar="WHO", help="trust an identity that signs with Sigstore")
    what.add_argument("--sigstore", metavar="FILE", help="check identities with this trusted root of Sigstore")
    how = trust.add_argument_group("how far to trust it")
    how.add_argument("--level", choices=LEVELS, help="the highest level that it may attest")
    how.add_argument("--name", default="", help="whose it is (default for a key: the name in its file)")
    how.add_argument(
        "--rank", metavar="N", type=_whole, default=0, help="the highest rank of labels that it may use (default: 0)"
    )
    how.add_argument("--compartment", metavar="NAME", action="append", default=[], help="may be repeated")
    how.add_argument("--releasable-to", metavar="NAME", action="append", default=[], help="may be repeated")
    how.add_argument(
        "--skills", metavar="NAME", action="append", default=[],
        help="a key: the skill that it may sign, or `acme/*` for all names with this prefix; may be repeated (default: any skill that no other key names)",
    )  # fmt: skip
    how.add_argument("--starts", metavar="DATE", help="a key: valid from this date")
    how.add_argument("--expires", metavar="DATE", help="a key: valid until this date")
    how.add_argument("--root", dest="may_rotate", action="store_true", help="a key: it may sign the next trust root")
    how.add_argument(
        "--subject", metavar="NAME", action="append", default=[], help="an authority: only for these signers"
    )
    how.add_argument("--issuer", metavar="URL", help="an identity: the issuer that confirms it")
    how.add_argument("--reason", metavar="TEXT", help="why a key is revoked")
    then = trust.add_argument_group("and then")
    then.add_argument(
        "--sign", metavar="KEY", action="append", default=[], help="sign the next version; may be repeated"
    )
    then.add_argument("--accept", action="store_true", help="remember this trust root as the valid one")
    then.add_argument(
        "--state", metavar="DIR", help="the folder of the remembered trust root (default: below ~/.local/state)"
    )
    _format(trust)


def _format(command: argparse.ArgumentParser) -> None:
    command.add_argument("--format", choices=("text", "json"), default="text", help="default: text")


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise argparse.ArgumentTypeError(f"`{text}` is not a whole number")
    return int(text)
