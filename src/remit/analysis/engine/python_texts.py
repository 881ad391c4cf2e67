"""Texts that Python code is made of: encodings are folded on literals, and bytes on lists of numbers.

Only what is plain ASCII is folded: a text stands for bytes too, and nothing says by which encoding they become characters.
"""

from __future__ import annotations

import base64
import codecs
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from remit.analysis.domain import SOME_TEXT, Atom, Num, Object, Value, lit
from remit.analysis.engine.run import EnginePart
from remit.analysis.engine.texts import derived, literals, mapped

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
    "rot13": "rot13",
    "rot_13": "rot13",
    "hex": "hex",
    "hex_codec": "hex",
    "base64": "base64",
    "base64_codec": "base64",
}


class PythonTexts(EnginePart):
    """What `base64.b64decode`, `bytes.fromhex`, `codecs.decode`, `bytes([104, 105])` and `chr(104)` make."""

    cells: engine.Cells
    objects: engine.Objects
    python_names: engine.PythonNames
    summaries: engine.Summaries

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
        codes = [_code(self.cells.read(cell)) for cell in heap.prefix]
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
        code = _code(args.at(0))
        return lit(chr(code)) if code is not None else SOME_TEXT


def _code(value: Value) -> int | None:
    """A number that is an ASCII character."""
    if len(value) != 1:
        return None
    (atom,) = value
    known = isinstance(atom, Num) and atom.low is not None and atom.low == atom.high and 0 <= atom.low < 128
    return int(atom.low) if known and isinstance(atom, Num) and atom.low is not None else None
