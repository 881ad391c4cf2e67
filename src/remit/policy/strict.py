"""Texts of an untrusted envelope: read strictly, refused when in doubt, and shown without what cannot be seen."""

from __future__ import annotations

from remit.manifest.words import HIDDEN
from remit.policy.refusal import Refusal


class RefusedError(Exception):
    """Ends the reading of an envelope; `read` turns it into its refusal."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.refusal = Refusal(code, reason)


def read_text(value: object, name: str, most: int) -> str:
    """A text that is no longer than it may be, and that everybody reads in the same way."""
    if type(value) is not str:
        raise RefusedError("malformed", f"`{name}` is no text")
    if len(value) > most:
        raise RefusedError("too-large", f"`{name}` is longer than {most} characters")
    refuse_unseen(value, name)
    return value


def refuse_unseen(text: str, name: str) -> None:
    """What a person, a file system and a shell could read in two ways is refused, never repaired."""
    if text.isascii():
        bad = not text.isprintable() and HIDDEN.search(text) is not None
    else:
        from unicodedata import normalize  # noqa: PLC0415  (most names are ASCII)

        wide = normalize("NFKC", text)
        bad = (
            HIDDEN.search(text) is not None
            or any("\ud800" <= char <= "\udfff" for char in text)
            or normalize("NFC", text) != text
            or any(wide.count(char) != text.count(char) for char in "/\\\0")  # a slash in another width
            or any(part in (".", "..") for part in wide.split("/") if part not in text.split("/"))
        )
    if bad:
        raise RefusedError("unseen-characters", f"`{name}` holds characters that hide or steer, or look like others")


def shown(value: object) -> str:
    """A short text for a message, with what cannot be seen left out."""
    text = value if isinstance(value, str) else type(value).__name__
    clean = "".join(char if char.isprintable() else "?" for char in text[:81])
    return clean if len(clean) <= 80 else f"{clean[:80]}…"
