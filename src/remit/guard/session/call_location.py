"""The places in which calls run, with the skills whose scripts they may meet there: loaded ones, and ones that are only
installed.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from remit.guard.call_analysis.commands import CallPlace
from remit.guard.session.skill_folders import installed as skills_there

if TYPE_CHECKING:
    from remit.guard.event import Event
    from remit.guard.session.state import SessionState

    _Installed = tuple[tuple[str, Path], ...]

_FRESH = 1.0  # seconds
_MOST = 512  # places, and workspaces


class CallLocations:
    """The places of all sessions of one user."""

    def __init__(self, home: Path, temp: Path) -> None:
        self._home, self._temp = home, temp
        self._places: dict[CallPlace, CallPlace] = {}
        self._installed: dict[tuple[str, Path], tuple[float, _Installed]] = {}  # by host and workspace, with the time

    def place(self, live: SessionState, event: Event) -> CallPlace:
        """Return where a call would run, with the skills whose scripts it may meet there."""
        installed = self.installed(live)
        hangs_on = (event.cwd, live.workspace.root, tuple(live.folders.items()), installed)
        before, place = live.placed
        if place is None or before != hangs_on:
            place = self._shared(self._place(live, event.cwd, installed))
            live.placed = hangs_on, place
        return place

    def _shared(self, place: CallPlace) -> CallPlace:
        """Return one shared value per place, so that sessions of one workspace share what is known there without
        comparing paths.
        """
        if len(self._places) >= _MOST:
            self._places.clear()
        return self._places.setdefault(place, place)

    def _place(self, live: SessionState, cwd: str, installed: _Installed) -> CallPlace:
        skills = tuple((name, Path(folder)) for name, folder in live.folders.items())
        known = {folder for _, folder in skills}
        # an installed skill with the name of a loaded one is not that skill, and has none of its rights
        others = tuple(
            (str(folder) if name in live.folders else name, folder) for name, folder in installed if folder not in known
        )
        return CallPlace(Path(cwd), live.workspace.root, self._home, self._temp, (*skills, *others))

    def installed(self, live: SessionState) -> _Installed:
        """Return the skills that the host would find, looked up once a second for all its sessions in a workspace."""
        now, key = time.monotonic(), (live.host, live.workspace.root)
        looked, found = self._installed.get(key, (float("-inf"), ()))
        if now - looked > _FRESH:
            if len(self._installed) >= _MOST:
                self._installed.clear()
            found = tuple(skills_there(live.host, live.workspace.root, self._home))
            self._installed[key] = now, found
        return found
