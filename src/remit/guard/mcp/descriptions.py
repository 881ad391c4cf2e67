"""What in the descriptions of a server tells an agent what it must not be told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from remit.guard.context.scan import scan
from remit.guard.context.source import Kind, Source
from remit.guard.mcp.pins import ORIGIN
from remit.policy.dlp.severity import Severity

if TYPE_CHECKING:
    from remit.guard.context.finding import Finding
    from remit.guard.mcp.pins import Entries


class Told(NamedTuple):
    """A finding, and the entry that it stands in."""

    key: str
    finding: Finding

    def line(self) -> str:
        """For people; characters outside of ASCII are escaped, because hidden ones are what is found."""
        sentence = self.finding.sentence.encode("ascii", "backslashreplace").decode()
        return f"{self.key}: {self.finding.severity.value}: {self.finding.does}: {sentence}"


def findings(entries: Entries) -> tuple[Told, ...]:
    """Everything that the scan finds in the texts of entries: descriptions, titles, and those inside of schemas."""
    found: list[Told] = []
    for key, value in entries.items():
        if key != ORIGIN:
            source = Source(Kind.TOOL, key)
            found += (Told(key, finding) for text in _texts(value) for finding in scan(text, source))
    return tuple(found)


def grave(entries: Entries) -> frozenset[str]:
    """The entries that nothing but a person may take on."""
    return frozenset(told.key for told in findings(entries) if told.finding.severity is Severity.HIGH)


def _texts(value: Any) -> dict[str, None]:
    """Each text once, keys too: the same words stand in the title, the description and the schema."""
    found: dict[str, None] = {}
    todo = [value]
    while todo:
        item = todo.pop()
        if isinstance(item, str):
            if " " in item or not item.isascii():
                found[item] = None
        elif isinstance(item, dict):
            todo += [*item.keys(), *item.values()]
        elif isinstance(item, list):
            todo += item
    return found
