"""The entries of an archive, provided that every tool that opens it finds the same ones.

Tools differ in how they handle anomalies: some continue after a broken header, some read a zip by its directory and
some from its beginning, and a link to a link is one file for some and another for others. If other tools opened an
archive differently, we would judge something that no user gets. So any anomaly refuses the archive.
"""

from __future__ import annotations

import io
import os
import stat
import struct
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from typing import IO, NamedTuple, Self

from remit.core.errors import InputError
from remit.skill.walk import shown

REMEDY = "pack it again from the folder"
_PIECE = 1 << 20
_LONG = (tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK)
_MOST_LONG = 1 << 20  # bytes of a header in several blocks, which `tarfile` reads at once
_MOST_FILLING = 1 << 30  # bytes of zeros after the end of a tar
# what stands before an entry of a zip: among others flags, how and to what size it is packed, and the lengths of a name and of more
_LOCAL = struct.Struct("<6xHH8xI4xHH")
_ELSEWHERE = 0xFFFFFFFF  # a size that stands in a longer field
_DESCRIBED = 0x08  # the flag of an entry whose sizes stand after it
_AFTER = (12, 16, 20, 24)  # bytes that tell these: with or without a mark, with small or large sizes


class Entry(NamedTuple):
    """One entry of an archive; `open` returns its content, for a link the text of its target."""

    name: str
    kind: int  # as in the mode of a file
    executable: bool
    open: Callable[[], IO[bytes]]


def zip_entries(archive: str) -> Iterator[Entry]:
    """Return all entries of a zip; InputError for anomalies, and what `zipfile` raises for broken ones."""
    with zipfile.ZipFile(archive) as opened:
        _refuse_gaps(opened)
        for info in opened.infolist():
            mode = info.external_attr >> 16
            if not info.filename:
                raise InputError("a file in the archive has no name", REMEDY)
            kind = stat.S_IFDIR if info.is_dir() else stat.S_IFMT(mode) or stat.S_IFREG
            if info.orig_filename != info.filename:  # it ends at the first NUL
                raise InputError(f"the name `{shown(info.orig_filename)[:200]}` is read in two ways", REMEDY)
            if kind == stat.S_IFDIR and info.file_size:
                raise _filled(info.filename)
            yield Entry(info.filename, _known(kind, info.filename), bool(mode & 0o111), partial(opened.open, info))


def _refuse_gaps(opened: zipfile.ZipFile) -> None:
    """Require that every byte before the directory belongs to a listed entry: a tool that reads from the beginning then
    finds the same.
    """
    assert opened.fp is not None
    end, described = 0, False
    for info in sorted(opened.infolist(), key=lambda one: one.header_offset):
        _refuse_gap(info.header_offset - end, described=described)
        opened.fp.seek(info.header_offset)
        flags, packing, size, name, more = _LOCAL.unpack(opened.fp.read(_LOCAL.size).ljust(_LOCAL.size, b"\0"))
        described = bool((flags | info.flag_bits) & _DESCRIBED)
        sizes = {info.compress_size, _ELSEWHERE} | ({0} if described else set())
        if packing != info.compress_type or size not in sizes:
            raise InputError(f"`{shown(info.filename)[:200]}` is not packed as its directory says", REMEDY)
        end = info.header_offset + _LOCAL.size + name + more + info.compress_size
    _refuse_gap(opened.start_dir - end, described=described)


def _refuse_gap(size: int, *, described: bool) -> None:
    if size and not (described and size in _AFTER):
        raise InputError("it holds what its directory does not list", REMEDY)


def tar_entries(archive: str) -> Iterator[Entry]:
    """Return all entries of a tar; InputError for anomalies, and what `tarfile` raises for broken ones."""
    with tarfile.open(archive, tarinfo=_Header) as opened:
        files: dict[str, tarfile.TarInfo] = {}
        for info in opened:
            kind = _tar_kind(info)
            if info.size and kind != stat.S_IFREG:
                raise _filled(info.name)
            held = _linked(info, files) if info.islnk() else info
            if kind == stat.S_IFREG:
                files[_plain(info.name)] = held
            yield Entry(info.name, kind, bool(held.mode & 0o111), partial(_tar_content, opened, held))
        _refuse_rest(opened)


class _Header(tarfile.TarInfo):
    """A header that refuses the archive if it is broken: `tarfile` takes it for the end, where other tools continue."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        try:
            found = super().frombuf(buf, encoding, errors)
        except tarfile.HeaderError as error:
            if buf.strip(b"\0"):
                raise tarfile.ReadError(f"a header is broken: {error}") from None
            raise  # the end
        if found.type in _LONG and found.size > _MOST_LONG:
            raise tarfile.ReadError("a name or a header is too long")
        return found


def _refuse_rest(opened: tarfile.TarFile) -> None:
    """Require that nothing follows the end: a block of zeros marks it, which some tools skip."""
    assert opened.fileobj is not None
    for _ in range(_MOST_FILLING // _PIECE):
        piece = opened.fileobj.read(_PIECE)
        if not piece:
            return
        if piece.count(0) != len(piece):
            break
    raise InputError("it holds more after its end", REMEDY)


def _tar_kind(info: tarfile.TarInfo) -> int:
    if info.isdir():
        return stat.S_IFDIR
    if info.issym():
        return stat.S_IFLNK
    return _known(stat.S_IFREG if info.isreg() or info.islnk() else 0, info.name)


def _linked(info: tarfile.TarInfo, files: dict[str, tarfile.TarInfo]) -> tarfile.TarInfo:
    """Return the file that a hard link refers to. It came before; a link to a link means something else from another
    folder.
    """
    if info.size:
        raise _filled(info.name)
    found = files.get(_plain(info.linkname))
    if found is None:
        raise InputError(f"`{shown(info.name)[:200]}` is a link to no file that comes before it", REMEDY)
    return found


def _plain(name: str) -> str:
    return name.removeprefix("./")


def _tar_content(opened: tarfile.TarFile, info: tarfile.TarInfo) -> IO[bytes]:
    """Return the bytes of a file, or the target of a link."""
    if info.issym():
        return io.BytesIO(os.fsencode(info.linkname))
    content = opened.extractfile(info)
    assert content is not None  # only entries that are no files have none
    return content


def _known(kind: int, name: str) -> int:
    if kind not in (stat.S_IFREG, stat.S_IFDIR, stat.S_IFLNK):
        raise InputError(f"`{shown(name)[:200]}` is neither a file, a folder nor a link", REMEDY)
    return kind


def _filled(name: str) -> InputError:
    return InputError(f"`{shown(name)[:200]}` is no file, and has content", REMEDY)
