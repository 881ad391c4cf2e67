"""The files that lie in the work folder of a probe: small ones of many kinds."""

from __future__ import annotations

import gzip
import json
import sqlite3
import struct
import subprocess
import tarfile
import wave
import zipfile
import zlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

TEXT = "one 1\ntwo 2\nthree 3\n"
TEXTS = {
    "data.txt": TEXT,
    "more.txt": TEXT.upper(),
    "table.csv": "name,count\nfirst,1\nsecond,2\n",
    "data.json": json.dumps({"name": "value", "list": [1, 2]}) + "\n",
    "data.yaml": "name: value\nlist:\n  - 1\n",
    "data.toml": 'name = "value"\n[part]\nkey = 1\n',
    "data.xml": "<?xml version='1.0'?>\n<a><b>c</b></a>\n",
    "page.html": "<html><head><title>t</title></head><body><p>text</p></body></html>\n",
    "notes.md": "# Title\n\nText with *words*.\n",
    "code.py": "def main():\n    return 1\n",
    "code.js": "const one = 1;\n",
    "code.c": "int main(void) { return 0; }\n",
    "run.sh": "#!/bin/sh\nexit 0\n",
    "graph.dot": "digraph { a -> b }\n",
    "shape.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>\n',
    "change.patch": "--- data.txt\n+++ data.txt\n@@ -1,3 +1,3 @@\n-one 1\n+one 9\n two 2\n three 3\n",
    "folder/inner.txt": TEXT,
    "folder/deeper/last.txt": TEXT,
}
# What a probed line may name: one word a kind of operand
EXISTING = (*TEXTS, "image.png", "sound.wav", "page.pdf", "data.db", "data.zip", "data.tar", "data.tar.gz", "data.txt.gz")  # fmt: skip
REPOSITORY = (
    ["git", "init", "-q", "--template=", "-b", "main"],
    ["git", "add", "data.txt", "code.py"],
    ["git", "-c", "user.name=probe", "-c", "user.email=probe@example.org", "commit", "-q", "-m", "first"],
)


def fill(folder: Path, *, repository: bool) -> tuple[str, ...]:
    """Write the files; returns the name of each."""
    for name, text in TEXTS.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (folder / "run.sh").chmod(0o755)
    (folder / "image.png").write_bytes(_png(8))
    (folder / "page.pdf").write_bytes(_pdf())
    with wave.open(str(folder / "sound.wav"), "wb") as sound:
        sound.setparams((1, 2, 8000, 0, "NONE", "NONE"))
        sound.writeframes(b"\0\0" * 800)
    with sqlite3.connect(folder / "data.db") as base:
        base.execute("create table t (name text, count integer)")
        base.execute("insert into t values ('first', 1)")
    base.close()
    with zipfile.ZipFile(folder / "data.zip", "w") as archive:
        archive.writestr("packed.txt", TEXT)
    for name, mode in (("data.tar", "w"), ("data.tar.gz", "w:gz")):
        with tarfile.open(folder / name, mode) as packed:  # type: ignore[call-overload]
            packed.add(folder / "more.txt", "packed.txt")
    (folder / "data.txt.gz").write_bytes(gzip.compress(TEXT.encode()))
    if repository:
        for command in REPOSITORY:
            subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return tuple(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def _png(size: int) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    rows = zlib.compress((b"\0" + b"\x40\x80\xc0" * size) * size)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def _pdf() -> bytes:
    """One empty page, with a table of offsets."""
    objects = (
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]/Resources<<>>>>",
    )
    out, offsets = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj%bendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    return out + b"xref\n0 4\n0000000000 65535 f \n%btrailer<</Size 4/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (
        table,
        len(out),
    )
