"""All exceptions that Remit raises on purpose.

    RemitError
    ├── UsageError        the command line is wrong
    ├── InputError        the skill cannot be read
    │   └── LimitError    the skill exceeds a limit (the limits are options)
    ├── DataError         a data file of ours, or a user's summary file, is wrong
    ├── ManifestError     a manifest is wrong
    ├── LockError         a lock file is wrong
    ├── BundleError       an attestation is malformed
    ├── TrustError        a key, a trust root or its stored state cannot be used
    ├── AuditError        the audit log cannot be read, written or trusted
    ├── CapsuleError      a program cannot be confined or observed here, so it is not run
    ├── GuardError        the guard's state or daemon is unreliable, so its requests are denied
    └── PackageError      an optional package is not installed

A message is lowercase, without a final period, with the user's input in backticks; `remedy` says what to do next.
Outcomes (escapes, opaque, refused) are values, never exceptions.
"""

from __future__ import annotations


class RemitError(Exception):
    """Base of all deliberate failures: what happened, its file and line if known, and the remedy that the user is
    shown.
    """

    def __init__(self, message: str, remedy: str = "", *, where: str = "") -> None:
        self.message = f"{where}: {message}" if where else message
        super().__init__(self.message)
        self.without_place = message
        self.where = where
        self.remedy = remedy


class UsageError(RemitError):
    """The command line asks for something that does not exist."""


class InputError(RemitError):
    """The skill cannot be read as a skill."""


class LimitError(InputError):
    """The skill is larger than a limit that the user can raise."""


class DataError(RemitError):
    """A data file is malformed; the message begins with `file:line`."""


class ManifestError(RemitError):
    """A manifest is malformed."""


class LockError(RemitError):
    """A lock file is malformed."""


class BundleError(RemitError):
    """An attestation is malformed."""


class TrustError(RemitError):
    """A key, a trust root, or its stored state, cannot be used."""


class AuditError(RemitError):
    """The audit log cannot be read, written or trusted."""


class CapsuleError(RemitError):
    """A program cannot be confined or observed on this machine; it is not run."""


class GuardError(RemitError):
    """The guard's state, socket or daemon is unreliable; requests meanwhile are denied."""


class AuthorityError(RemitError):
    """A policy server, or a request to it, cannot be used. `code` is one of authority/codes.py."""

    def __init__(self, message: str, remedy: str = "", *, code: str = "") -> None:
        super().__init__(f"{code}: {message}" if code else message, remedy)
        self.code = code


class PackageError(RemitError):
    """An optional package is not installed; the check that needs it is not done."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(f"the package `{package}` is not installed", f"pip install 'remit[{extra}]'")
