"""Can a zip file be run? A look at its directory, without unpacking.

Python runs any zip that holds `__main__.py`, whatever its name and whatever stands before it; Java runs one with a
manifest. The end record and directory are read from the last bytes of the file within fixed bounds; a zip whose
directory does not fit them is assumed to be a program.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from remit.skill.walk import RawFile

_END = b"PK\x05\x06"
_ENTRY = b"PK\x01\x02"
_MAX_ENTRIES = 20_000
_PROGRAM_NAMES = (b"__main__.py", b"__main__.pyc", b"META-INF/MANIFEST.MF")
_OFFICE_ENDINGS = (".docx", ".xlsx", ".pptx", ".odt", ".ods", ".odp", ".epub", ".dotx", ".potx")


def is_zip_program(raw: RawFile) -> bool:
    """Is this a zip that an interpreter would run? A zip with something before it counts if a shebang stands there."""
    data = raw.data if raw.data is not None else raw.tail
    at = data.rfind(_END, max(0, len(data) - 65_557))
    if at < 0 or len(data) - at < 22:
        return False
    entries, length = struct.unpack_from("<HI", data, at + 10)
    if entries == 0xFFFF or entries > _MAX_ENTRIES or length > at:
        return not raw.path.lower().endswith(_OFFICE_ENDINGS)
    if raw.head.startswith(b"#!"):
        return True
    return any(name in _PROGRAM_NAMES for name in _names(data, at - length, entries))


def _names(data: bytes, at: int, entries: int) -> list[bytes]:
    """The names of the directory that ends right before the end record."""
    out: list[bytes] = []
    for _ in range(entries):
        if data[at : at + 4] != _ENTRY or len(data) - at < 46:
            break
        name, extra, comment = struct.unpack_from("<HHH", data, at + 28)
        out.append(data[at + 46 : at + 46 + name])
        at += 46 + name + extra + comment
    return out
