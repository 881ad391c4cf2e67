"""In a worker: an archive or a repository becomes folders, one for each of its skills."""

from __future__ import annotations

import os
import shutil

from remit.core.counting import counted
from remit.core.errors import InputError
from remit.scan.places import Bad, Item, Kind, Place, Wanted, located, spelled
from remit.skill.find import find_skills
from remit.skill.walk import shown
from remit.sources.repository import name_of, read_repository
from remit.sources.unpack import ARCHIVES, Bounds, unpack


def open_place(place: Place, staging: str, bounds: Bounds) -> list[Wanted]:
    """The skills of a place, in a folder of its own below `staging`; InputError if it cannot be opened.

    The folder is called as the place is, because a skill without a name has that of its folder.
    """
    shutil.rmtree(staging, ignore_errors=True)
    root = os.path.join(staging, "opened", _stem(place))
    os.makedirs(root, mode=0o700)
    lacking: dict[str, str] = {}
    if place.kind is Kind.ARCHIVE:
        unpack(place.where, root, bounds)
    else:
        scratch = os.path.join(staging, "fetched")
        lacking = read_repository(place.where, place.revision, root, scratch, bounds).refused
    try:
        folders = [str(folder) for folder in find_skills(root, nested=True)]
    except InputError as error:  # the name of the folder is ours, and another one in the next scan
        if not lacking:
            raise InputError(error.message.replace(shown(root), shown(place.source)), error.remedy) from None
        folders = []
    paths = {os.path.relpath(folder, root): folder for folder in folders}
    found = [_item(place, path, paths.get(path, ""), lacking) for path in sorted({*paths, *lacking})]
    if place.digest and len(found) > 1:
        raise InputError(f"it holds {counted(len(found), 'skill')}, and one digest", "give each a line of its own")
    return found


def _item(place: Place, path: str, folder: str, lacking: dict[str, str]) -> Wanted:
    named = spelled(path)
    location = located(place.source, named)
    if path in lacking:
        return Bad(location, place.source, named, lacking[path], place.called)
    return Item(location, place.source, named, folder, place.called, place.digest)


def _stem(place: Place) -> str:
    if place.kind is Kind.REPOSITORY:
        stem = name_of(place.where)
    else:
        name = os.path.basename(place.where)
        ending = next((end for end in sorted(ARCHIVES, key=len, reverse=True) if name.lower().endswith(end)), "")
        stem = name[: len(name) - len(ending)]
    return stem if stem not in ("", ".", "..") else "skill"
