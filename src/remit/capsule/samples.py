"""Sample inputs: a small valid file for each common file type, by extension."""

from __future__ import annotations

import base64
import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from posixpath import splitext

_TABLE = "id,name,date,amount,region\n1,alpha,2026-01-15,10.5,north\n2,beta,2026-02-20,20,south\n"
_TEXTS = {
    "csv": _TABLE,
    "tsv": _TABLE.replace(",", "\t"),
    "json": '{"name": "sample", "id": 1, "title": "Sample", "items": [{"id": 1, "name": "alpha", "value": 2}]}\n',
    "jsonl": '{"id": 1, "name": "alpha"}\n{"id": 2, "name": "beta"}\n',
    "md": "---\nname: sample\ndescription: A sample. Use it in tests.\n---\n# Sample\n\nSome text.\n\n- one\n- two\n",
    "html": "<!doctype html><html><head><title>Sample</title></head><body><h1>Sample</h1><p>Text</p></body></html>\n",
    "xml": '<?xml version="1.0"?><sample><item id="1">alpha</item></sample>\n',
    "svg": '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>\n',
    "yaml": "name: sample\nitems:\n  - id: 1\n    name: alpha\n",
    "toml": 'name = "sample"\n[item]\nid = 1\n',
    "ini": "[sample]\nname = alpha\n",
    "py": 'def sample():\n    return "sample"\n',
    "js": 'export const sample = "sample";\n',
    "ts": 'export const sample: string = "sample";\n',
    "sh": "echo sample\n",
    "sql": "select 1;\n",
    "log": "2026-01-15 10:00:00 INFO sample\n2026-01-15 10:00:01 ERROR sample failed\n",
    "fasta": ">sample\nACGTACGT\n",
    "srt": "1\n00:00:00,000 --> 00:00:01,000\nSample\n",
    "ipynb": '{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}\n',
}
_TEXT = "Sample text.\nA second line.\n"
_ALIKE = {"htm": "html", "yml": "yaml", "markdown": "md", "mjs": "js", "cfg": "ini", "fa": "fasta", "ndjson": "jsonl"}
_PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
_PDF = (
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
    b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>endobj\nxref\n0 4\n0000000000 65535 f \n0000000009 00000 n \n"
    b"0000000054 00000 n \n0000000105 00000 n \ntrailer<</Size 4/Root 1 0 R>>\nstartxref\n168\n%%EOF\n"
)
_OFFICE: Mapping[str, tuple[str, str]] = {
    "docx": ("word/document.xml", "http://schemas.openxmlformats.org/wordprocessingml/2006/main"),
    "xlsx": ("xl/workbook.xml", "http://schemas.openxmlformats.org/spreadsheetml/2006/main"),
    "pptx": ("ppt/presentation.xml", "http://schemas.openxmlformats.org/presentationml/2006/main"),
}
_ROOTS = {"docx": "document", "xlsx": "workbook", "pptx": "presentation"}
_RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
BINARY = frozenset({"png", "pdf", "zip", *_OFFICE})
KINDS = frozenset({"txt", *_TEXTS, *_ALIKE, *BINARY})


def kind_of(name: str) -> str:
    """Return the extension of a name if there is a sample for it; else an empty string."""
    ending = splitext(name)[1].removeprefix(".").lower()
    return ending if ending in KINDS else ""


def sample(name: str, keys: Sequence[str] = ()) -> bytes:
    """Return a sample with this name; plain text for an unknown type. `keys` name its columns or fields."""
    kind = kind_of(name)
    kind = _ALIKE.get(kind, kind)
    if keys and kind in {"csv", "tsv"}:
        row = [_for_key(key, number) for number, key in enumerate(keys)]
        return "".join(("\t" if kind == "tsv" else ",").join(line) + "\n" for line in (keys, row)).encode()
    if keys and kind == "json":
        return (json.dumps({key: _for_key(key, number) for number, key in enumerate(keys)}) + "\n").encode()
    if kind == "png":
        return _PNG
    if kind == "pdf":
        return _PDF
    if kind == "zip":
        return _packed({"sample.txt": _TEXT})
    if kind in _OFFICE:
        return _office(kind)
    return _TEXTS.get(kind, _TEXT).encode()


def _for_key(key: str, number: int) -> str:
    """Return a value for a column, typed by its name where possible, else a number."""
    if "date" in key.lower() or "time" in key.lower():
        return "2026-01-15"
    return {"currency": "EUR", "email": "a@example.com", "url": "https://example.com/"}.get(
        key.lower(), str(number + 1)
    )


def _office(kind: str) -> bytes:
    part, space = _OFFICE[kind]
    relations = "http://schemas.openxmlformats.org/package/2006/relationships"
    inner = "<w:body/>" if kind == "docx" else ""
    root = _ROOTS[kind]
    return _packed(
        {
            "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
            '<Default Extension="xml" ContentType="application/xml"/></Types>',
            "_rels/.rels": f'<Relationships xmlns="{relations}"><Relationship Id="r1" Type="{_RELATION}" Target="{part}"/>'
            "</Relationships>",
            part: f'<w:{root} xmlns:w="{space}">{inner}</w:{root}>',
        }
    )


def _packed(files: Mapping[str, str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name), text)
    return out.getvalue()
