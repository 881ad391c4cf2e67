"""Texts as programs: holes become characters that stand for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from remit.analysis import domain
from remit.analysis.domain import Hole, Text, Value
from remit.analysis.shell.syntax import FIRST_HOLE, Unit
from remit.core.via import Cause, Via

if TYPE_CHECKING:
    from remit.analysis.world import Site, World


def make_unit(item: Text, site_of: Callable[[int], Site]) -> Unit:
    """A text as a program: its holes become characters that stand for them."""
    holes: dict[str, Hole] = {}
    out: list[str] = []
    for part in item.parts:
        if isinstance(part, str):
            out.append(clean(part))
        else:
            ch = chr(ord(FIRST_HOLE) + len(holes))
            if unit_raw(part):
                holes[ch] = Hole(part.origin, "any", False)
            elif part.alphabet == domain.NUMERIC or part.origin in domain.ANCHORS:
                holes[ch] = part
            else:
                holes[ch] = part._replace(alphabet=domain.QUOTED)
            out.append(ch)
    return Unit("".join(out), site_of, 1, holes)


def unit_raw(part: Hole) -> bool:
    """Whether a hole in code may change what the code is."""
    fixed = part.alphabet in (domain.NUMERIC, domain.QUOTED)
    return not fixed and part.origin not in {*domain.ANCHORS, domain.MODEL, domain.RANDOM}


def report_raw(world: World, item: Text, site: Site, cwd: Value) -> None:
    """Report holes that may be commands. A program that is nothing but such a hole, or that may hide the skill's own text, is
    not understood at all."""
    found = [part for part in item.parts if isinstance(part, Hole) and unit_raw(part)]
    if not found:
        return
    via = Via(Cause.CODE, words="runs text that is not known as a shell program")
    world.effect("shell.execute", domain.ANY, site, via, cwd=cwd)
    whole = not any(isinstance(part, str) and not part.isspace() for part in item.parts)
    if any(
        part.origin in (domain.UNKNOWN, domain.MIXED, domain.BLENDED)
        or (whole and part.origin in (domain.FILE, domain.NET))
        for part in found
    ):
        world.opaque("text that is not known is run as a shell program", site, "write the commands themselves")


def clean(text: str) -> str:
    """A text without the characters that we use as marks."""
    if text.isascii() or (
        "\ue000" not in text and "\ue001" not in text and "\ue002" not in text and max(text) < FIRST_HOLE
    ):
        return text
    return "".join("\ufffd" if ch in "\ue000\ue001\ue002" or ch >= FIRST_HOLE else ch for ch in text)
