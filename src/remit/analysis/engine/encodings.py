"""Texts that code is made of: encodings are folded on literals, and bytes on lists of numbers.

Only what is plain ASCII is folded: a text stands for bytes too, and nothing says by which encoding they become characters.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import re
import urllib.parse
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from remit.analysis.domain import ANYTHING, FLAT, SEGMENT, SOME_TEXT, Atom, Const, Num, Object, Value, lit
from remit.analysis.engine.run import EnginePart
from remit.analysis.engine.texts import derived, literals, mapped, texts_of
from remit.core.patterns import lazy_pattern

if TYPE_CHECKING:
    from remit.analysis.engine import engine
    from remit.analysis.engine.frames import Args, Handler


_LONGEST = 100_000
_DECODED: dict[str, Callable[[str], bytes]] = {
    "base64": base64.b64decode,
    "urlsafe": base64.urlsafe_b64decode,
    "base32": base64.b32decode,
    "base85": base64.b85decode,
    "ascii85": base64.a85decode,
    "hex": bytes.fromhex,
    "rot13": lambda text: codecs.encode(text, "rot13").encode(),
}
_CODECS = {
    "rot13": "rot13", "rot_13": "rot13", "hex": "hex", "hex_codec": "hex", "base64": "base64", "base64_codec": "base64",
}  # fmt: skip


class PythonTexts(EnginePart):
    """What `base64.b64decode`, `bytes.fromhex`, `codecs.decode`, `bytes([104, 105])` and `chr(104)` make."""

    python_names: engine.PythonNames

    def handlers(self) -> dict[str, Handler]:
        """Intrinsic name → code."""
        found = {f"text.{name}": partial(self._decoded, name) for name in _DECODED}
        return {**found, "bytes": self._bytes, "text.codec": self._by_codec, "text.chr": self._character}

    def decoded(self, name: str, value: Value) -> Value:
        """Texts read by an encoding."""

        def fold(text: str) -> str:
            found = _DECODED[name](text).decode("ascii")
            self.run.decoded.add(found)
            return found

        try:
            return mapped(value, fold) if value else SOME_TEXT
        except ValueError:
            return derived(value)

    def _bytes(self, receiver: Atom | None, args: Args, line: int) -> Value:
        value = args.at(0)
        known = self._of_numbers(value) if not args.star else None
        if known is not None:
            return known
        self.summaries.show(value, line)
        return self.python_names.text_of(value) if args.positional or args.star else SOME_TEXT

    def _of_numbers(self, value: Value) -> Value | None:
        """The text of a list whose numbers are all known; None for anything else."""
        if len(value) != 1:
            return None
        (atom,) = value
        heap = self.objects.heap(atom) if isinstance(atom, Object) else None
        if heap is None or heap.kind not in ("list", "tuple") or heap.escaped or self.cells.read(heap.bag):
            return None
        codes = [_code(self.cells.read(cell), 128) for cell in heap.prefix]
        known = [code for code in codes if code is not None]
        if not known or len(known) < len(codes) or len(codes) > _LONGEST:
            return None
        text = bytes(known).decode()
        self.run.decoded.add(text)
        return lit(text)

    def _decoded(self, name: str, receiver: Atom | None, args: Args, line: int) -> Value:
        return self.decoded(name, args.at(0))

    def _by_codec(self, receiver: Atom | None, args: Args, line: int) -> Value:
        named = literals(args.at(1) | args.keywords.get("encoding", frozenset()))
        codec = _CODECS.get(named[0].lower().replace("-", "_")) if named is not None and len(named) == 1 else None
        return self.decoded(codec, args.at(0)) if codec else derived(args.at(0))

    def _character(self, receiver: Atom | None, args: Args, line: int) -> Value:
        code = _code(args.at(0), 128)
        return lit(chr(code)) if code is not None else SOME_TEXT


def _code(value: Value, limit: int) -> int | None:
    """A number that is a character below a limit."""
    if len(value) != 1:
        return None
    (atom,) = value
    low = atom.low if isinstance(atom, Num) and atom.low == atom.high else None
    return int(low) if low is not None and 0 <= low < limit else None


_UNESCAPED = "-_.!~*'()"  # by encodeURIComponent
_KEPT = _UNESCAPED + ";/?:@&=+$,#"  # by encodeURI
_ESCAPES = lazy_pattern(r"%u([0-9A-Fa-f]{4})|%([0-9A-Fa-f]{2})")


def _from_base64(text: str) -> bytes:
    """As Node reads it: both alphabets, no padding needed, other characters skipped."""
    kept = re.sub(r"[^A-Za-z0-9+/]", "", text.replace("-", "+").replace("_", "/").partition("=")[0])
    return base64.b64decode(kept[: len(kept) - (len(kept) % 4 == 1)] + "=" * (-len(kept) % 4))


_READ: dict[str, Callable[[str], bytes]] = {
    "utf8": lambda text: text.encode("utf-8", "surrogatepass"), "latin1": lambda text: text.encode("latin-1"),
    "base64": _from_base64, "hex": lambda text: bytes.fromhex(text[: len(text) & ~1]), "utf16le": lambda text: text.encode("utf-16-le"),
}  # fmt: skip
_WRITTEN: dict[str, Callable[[bytes], str]] = {
    "utf8": lambda data: data.decode("utf-8", "replace"), "latin1": lambda data: data.decode("latin-1"),
    "ascii": lambda data: bytes(byte & 127 for byte in data).decode("ascii"), "base64": lambda data: base64.b64encode(data).decode(),
    "base64url": lambda data: base64.urlsafe_b64encode(data).decode().rstrip("="), "hex": bytes.hex,
    "utf16le": lambda data: data.decode("utf-16-le", "replace"),
}  # fmt: skip
_SAME = {"ascii": "latin1", "base64url": "base64"}  # for reading
_OTHER_NAMES = {"utf-8": "utf8", "binary": "latin1", "ucs2": "utf16le", "ucs-2": "utf16le", "utf-16le": "utf16le"}
_WITHOUT_SLASH = {"hex": SEGMENT, "base64url": FLAT}
_FOLDS: dict[str, Callable[[str], str]] = {
    "atob": lambda text: base64.b64decode(re.sub(r"\s", "", text) + "=" * (-len(text) % 4)).decode("latin-1"),
    "btoa": lambda text: base64.b64encode(text.encode("latin-1")).decode(),
    "encodeURIComponent": lambda text: urllib.parse.quote(text, safe=_UNESCAPED),
    "encodeURI": lambda text: urllib.parse.quote(text, safe=_KEPT),
    "decodeURIComponent": lambda text: urllib.parse.unquote(text, errors="strict"),
    "unescape": lambda text: _ESCAPES.sub(lambda found: chr(int(found[1] or found[2], 16)), text),
}  # fmt: skip


def folded(name: str, value: Value, alphabet: str = ANYTHING) -> Value:
    """A global function of texts, folded on literals."""
    try:
        return mapped(value, _FOLDS[name], lambda rest: derived(rest, alphabet))
    except (ValueError, binascii.Error):
        return derived(value)


class JavaScriptTexts(EnginePart):
    """What `atob`, `String.fromCharCode`, `Buffer` and the like make."""

    def handlers(self) -> dict[str, Handler]:
        """Intrinsic name → code."""
        return {
            **{f"text.{name}": partial(self._folded, name) for name in _FOLDS},
            "text.fromCharCode": self._from_char_code, "text.buffer": self._buffer_text,
        }  # fmt: skip

    def _folded(self, name: str, receiver: Atom | None, args: Args, line: int) -> Value:
        made = folded(name, args.at(0), FLAT if name == "encodeURIComponent" else ANYTHING)
        self.run.decoded |= set(literals(made) or ()) if name in ("atob", "unescape") else set()
        return made

    def _from_char_code(self, receiver: Atom | None, args: Args, line: int) -> Value:
        codes = [_code(value, 65536) for value in args.positional]
        known = [code for code in codes if code is not None]
        if args.star or len(known) < len(codes):
            return SOME_TEXT
        units = b"".join(code.to_bytes(2, "little") for code in known)
        text = units.decode("utf-16-le", "replace")
        self.run.decoded.add(text)
        return lit(text)

    def _buffer_text(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """`Buffer.from(value, encoding).toString(other)`, where nothing else sees the buffer."""
        value, read, written = (args.at(i) for i in range(3))
        names = [_encoding(read), _encoding(written)]
        given = self._bytes(value, names[0])
        if given is not None and names[1] in _WRITTEN and len(given) < _LONGEST:
            text = _WRITTEN[names[1]](given)
            self.run.decoded.add(text)
            return lit(text)
        return derived(frozenset(texts_of(value)) or SOME_TEXT, _WITHOUT_SLASH.get(names[1] or "", ANYTHING))

    def _bytes(self, value: Value, encoding: str | None) -> bytes | None:
        known = literals(value)
        try:
            reader = _READ.get(_SAME.get(encoding or "", encoding or ""))
            if known is not None and len(known) == 1 and reader is not None:
                return reader(known[0])
            if len(value) == 1:
                (atom,) = value
                heap = self.objects.heap(atom) if isinstance(atom, Object) else None
                if heap is not None and heap.kind == "list" and not heap.escaped and not self.cells.read(heap.bag):
                    codes = [_code(self.cells.read(cell), 65536) for cell in heap.prefix]
                    return bytes(code & 255 for code in codes if code is not None) if None not in codes else None
        except (ValueError, binascii.Error):
            return None
        return None


def _encoding(value: Value) -> str | None:
    """The name of an encoding; None if it is not known."""
    atoms = frozenset(atom for atom in value if not (isinstance(atom, Const) and atom.name == "undefined"))
    if not atoms:
        return "utf8"
    known = literals(atoms)
    if known is None or len(known) != 1 or atoms != value:
        return None
    name = known[0].lower()
    return _OTHER_NAMES.get(name, name)
