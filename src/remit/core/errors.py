"""Every failure Remit raises on purpose.

    RemitError
    ├── UsageError        the command line is wrong
    ├── InputError        the skill cannot be read
    │   └── LimitError    the skill exceeds a limit (the limits are options)
    ├── DataError         a data file of ours, or a user's summary file, is wrong
    ├── ManifestError     a manifest is wrong
    ├── LockError         a lock file is wrong
    ├── BundleError       an attestation is malformed
    ├── TrustError        a key, a trust root or what is remembered of them cannot be used
    ├── AuditError        the log of what happened cannot be read, kept or believed
    ├── CapsuleError      a program cannot be confined or observed here, so it is not run
    ├── GuardError        the guard's state or daemon cannot be relied on, so what it is asked is denied
    └── PackageError      a package that is installed on request is not there

A message is lowercase, without a final period, with what the user wrote in backticks; `remedy` says what to
do next. Outcomes (escapes, opaque, refused) are values, never exceptions.
"""

from __future__ import annotations


class RemitError(Exception):
    """Base of all deliberate failures: what happened, where in a file if it is known, and the remedy that the user is shown."""

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
    """A key, a trust root, or what is remembered of them, cannot be used."""


class AuditError(RemitError):
    """The log of what happened cannot be read, kept or believed."""


class CapsuleError(RemitError):
    """A program cannot be confined or observed on this machine; it is not run."""


class GuardError(RemitError):
    """The guard's state, socket or daemon cannot be relied on; what is asked meanwhile is denied."""


class AuthorityError(RemitError):
    """A policy server, or what is asked of it, cannot be used. `code` is one of authority/codes.py."""

    def __init__(self, message: str, remedy: str = "", *, code: str = "") -> None:
        super().__init__(f"{code}: {message}" if code else message, remedy)
        self.code = code


class PackageError(RemitError):
    """A package that is installed on request is not there; no check is done without it."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(f"the package `{package}` is not installed", f"pip install 'remit[{extra}]'")
