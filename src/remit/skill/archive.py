"""Whether a zip file can be loaded as code, judged by its directory, without unpacking it.

Python runs any zip that contains `__main__.py`, and imports modules from any that a program adds to `sys.path`,
whatever its name and whatever precedes it; Java runs one with a manifest. Python ignores the number of entries in the
end record, and so does this module: every entry header counts. Of a file that is not kept whole only the last bytes are
examined; a zip whose directory does not fit into them is assumed to hold code, and so is one with very many entries.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from remit.skill.walk import RawFile

END = b"PK\x05\x06"
END_BYTES = 65_557  # that contain the end record: its own 22 and the longest comment
_ENTRY = b"PK\x01\x02"
_MAX_ENTRIES = 20_000
_LOADED = (b".py", b".pyc", b"META-INF/MANIFEST.MF")


def is_zip_program(raw: RawFile) -> bool:
    """Whether an interpreter would run or import from this zip. With a shebang before it, any zip counts."""
    data = raw.data if raw.data is not None else raw.tail
    ends = _places(data, END, max(0, len(data) - END_BYTES))
    if not ends:
        return False
    if raw.head.startswith(b"#!") or any(_begins_before(data, at) for at in ends):
        return True
    entries = _places(data, _ENTRY, 0)
    return len(entries) > _MAX_ENTRIES or any(_name(data, at).endswith(_LOADED) for at in entries)


def _places(data: bytes, mark: bytes, at: int) -> list[int]:
    """Return the positions of a mark, up to about as many as a directory may have entries."""
    found: list[int] = []
    while (at := data.find(mark, at)) >= 0 and len(found) <= _MAX_ENTRIES:
        found.append(at)
        at += 1
    return found


def _begins_before(data: bytes, end: int) -> bool:
    """Whether the directory of an end record begins before the data."""
    if len(data) - end < 16:
        return False
    (length,) = struct.unpack_from("<I", data, end + 12)
    return bool(length > end)


def _name(data: bytes, entry: int) -> bytes:
    if len(data) - entry < 46:
        return b""
    (length,) = struct.unpack_from("<H", data, entry + 28)
    return data[entry + 46 : entry + 46 + length]
