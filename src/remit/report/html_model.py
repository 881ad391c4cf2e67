"""What a page shows about one skill, and the anchors of its lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from remit.report.map_model import Node, NodeKind

if TYPE_CHECKING:
    from remit.checker.report import Report
    from remit.core.location import Location
    from remit.report.drift_words import Compared


class SkillPage(NamedTuple):
    """One skill of the page: its report, its exit status, the files in it, and what changed."""

    report: Report
    status: int
    sources: Mapping[str, Sequence[str]]  # by path: the available lines of files
    compared: Compared | None = None


class Anchors:
    """Anchors on the page. They are numbers, so that no file name becomes HTML.

    `elsewhere` returns the URL of a line that another page shows.
    """

    def __init__(self, number: int, report: Report, elsewhere: Callable[[Location], str] | None = None) -> None:
        self._elsewhere = elsewhere
        self.skill = f"s{number}"
        found = report.found
        self.files = {file: at for at, file in enumerate(sorted({place.file for place in report.places()}), 1)}
        names = sorted({effect.capability for effect in found.effects})
        self._capabilities = {name: at for at, name in enumerate(names, 1)}

    def section(self, name: str) -> str:
        """Return the anchor of a section about the skill."""
        return f"{self.skill}-{name}"

    def capability(self, name: str) -> str:
        """Return the anchor of the list of everything that it does with a capability."""
        return f"{self.skill}-c{self._capabilities[name]}"

    def file(self, file: str) -> str:
        """Return the anchor of a file."""
        return f"{self.skill}-f{self.files[file]}"

    def place(self, place: Location) -> str:
        """Return the anchor of a line."""
        return f"{self.file(place.file)}-{place.line}" if place.line else self.file(place.file)

    def link(self, place: Location) -> str:
        """Return the URL of a line."""
        return self._elsewhere(place) if self._elsewhere else f"#{self.place(place)}"

    def of(self, node: Node) -> str:
        """Return the target of a node of the map: its line, or the list of all of its lines."""
        if node.kind is NodeKind.SKILL:
            return f"#{self.skill}"
        if node.kind in (NodeKind.SCOPE, NodeKind.REASON) and len(node.places) == 1:
            return self.link(node.places[0])
        return f"#{self.capability(node.capability) if node.capability else self.section('opaque')}"
