"""What in the descriptions of a server should worry a person, by the rules of `remit check`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from remit.guard.mcp.pins import ORIGIN
from remit.guard.text_findings import text_findings

if TYPE_CHECKING:
    from remit.findings.model import Finding
    from remit.guard.mcp.pins import Entries


class Described(NamedTuple):
    """A finding, and the entry that it stands in."""

    key: str
    finding: Finding
    text: str

    def line(self) -> str:
        """For people; characters outside of ASCII are escaped, because hidden ones are what is found."""
        sentence = self.text[:300].encode("ascii", "backslashreplace").decode()
        return f"{self.key}: {self.finding.severity.value}: {self.finding.message}: {sentence}"


def findings(entries: Entries) -> tuple[Described, ...]:
    """What is found in the texts of entries: descriptions, titles, and those inside of schemas. Only a person may take such an entry on."""
    found: list[Described] = []
    for key, value in entries.items():
        if key != ORIGIN:
            found += (Described(key, finding, text) for text in _texts(value) for finding in text_findings(text))
    return tuple(found)


def grave(entries: Entries) -> frozenset[str]:
    """The entries that nothing but a person may take on."""
    return frozenset(one.key for one in findings(entries))


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
