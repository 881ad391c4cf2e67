"""Verification of Sigstore bundles, which are signed by a certified identity with a short-lived key.

The package `sigstore` checks certificate, log entry and signature, without network. The trusted parties are in
the trust root alone: the identities, and the trusted root of Sigstore. The package's own cache is not used.
"""

from __future__ import annotations

import tempfile
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.bundle.dsse import IN_TOTO, MAX_BYTES
from remit.bundle.refusal import Refusal, refuse

if TYPE_CHECKING:
    from remit.bundle.trust import Identity, TrustRoot


class Vouched(NamedTuple):
    """What was signed, a statement or a file, and the identity that signed it."""

    identity: Identity
    payload: bytes


def verify_keyless(data: bytes, root: TrustRoot, artifact: bytes | None = None) -> Vouched | Refusal:
    """Return what an identity of the trust root has signed: the statement in a bundle, or the file beside it."""
    # (1) Identities are named, and the package is installed. An empty list of identities means none, not any.
    if not root.identities:
        return refuse("keyless-identity", "the trust root names no identities")
    try:
        from sigstore.models import Bundle, TrustedRoot  # noqa: PLC0415
        from sigstore.verify import Verifier  # noqa: PLC0415
    except ImportError:
        return refuse("keyless-package", "the package `sigstore` is not installed")
    if len(data) > MAX_BYTES:
        return refuse("keyless-malformed", f"a bundle has at most {MAX_BYTES} bytes")
    named = _Named(root.identities)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of parts of the package, about each other
        # (2) The roots of Sigstore are read, then the bundle.
        try:
            verifier = Verifier(trusted_root=_trusted_root(TrustedRoot, root.sigstore_root))
        except Exception as error:  # noqa: BLE001  none of its failures is a root
            return refuse("keyless-root", _said(error))
        try:
            bundle = Bundle.from_json(data)
        except Exception as error:  # noqa: BLE001  none of its failures is a bundle
            return refuse("keyless-malformed", _said(error))
        # (3) Certificate, identity, log entry, signature.
        kind, payload = IN_TOTO, artifact or b""
        try:
            if artifact is None:
                kind, payload = verifier.verify_dsse(bundle, named)
            else:
                verifier.verify_artifact(artifact, bundle, named)
        except Exception as error:  # noqa: BLE001  none of its failures is a signature
            code = "keyless-identity" if named.asked and named.found is None else "keyless-invalid"
            return refuse(code, _said(error))
    # (4) The identity was asked for, and what is signed is a statement or the file.
    if named.found is None or kind != IN_TOTO:
        return refuse("keyless-invalid", f"what is signed is of the type `{kind[:80]}`, not `{IN_TOTO}`")
    return Vouched(named.found, payload)


class _Named:
    """A verification policy that accepts the named identities, and records which one it was."""

    def __init__(self, identities: tuple[Identity, ...]) -> None:
        self.identities = identities
        self.asked = False
        self.found: Identity | None = None

    def verify(self, cert: Any) -> None:
        """Called by the package with the certificate of the signer."""
        from sigstore.errors import VerificationError  # noqa: PLC0415
        from sigstore.verify import policy  # noqa: PLC0415

        self.asked = True
        for item in self.identities:
            try:
                policy.Identity(identity=item.identity, issuer=item.issuer).verify(cert)
            except VerificationError:
                continue
            self.found = item
            return
        raise VerificationError("the signer is none of the identities in the trust root")


def _trusted_root(kind: Any, text: str) -> Any:
    """Load the trusted root; the package reads it only from a file."""
    if not text:
        raise ValueError("the trust root holds no trusted root of Sigstore")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trusted_root.json"
        path.write_text(text, "utf-8")
        return kind.from_file(str(path))


def _said(error: Exception) -> str:
    first, *_ = str(error).splitlines() or [""]
    return f"{type(error).__name__}: {first[:200]}" if first else type(error).__name__
