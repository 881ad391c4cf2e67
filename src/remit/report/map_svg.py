"""The map of a skill as a picture: what it is, what it can do, and to what. Pure: takes a report, returns SVG text.

Colours and fonts are classes of `pages/map.css`; there are no inline styles, so that a page with `style-src 'self'`
shows it. Every meaning of a colour is also shown by a shape and a word. A page may have hundreds of maps: what many
nodes share is written once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html import escape
from math import log2
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.core.capability import vocabulary
from remit.core.counting import counted
from remit.core.effect import Origin
from remit.report.map_model import SCOPES, Node, NodeKind, Stand, capability_map, words
from remit.report.marks import drawn_mark, mark_shapes, pips, shorten
from remit.report.screen import visible, width_of

if TYPE_CHECKING:
    from remit.checker.report import Report
    from remit.core.location import Location

    Href = Callable[[Node], str | None]

_WIDTH, _ROW, _GAP, _TOP = 1120, 27, 13, 46
_SKILL = (16, 190, 84)  # left edge, width and height of the skill
_CAPABILITY = (300, 226, 44)
_LOWEST = 340  # for the skill: it is visible without scrolling, however long the map is
_SCOPE = 622  # position of the marks of scopes
_LEFT = {
    NodeKind.SKILL: _SKILL[0],
    NodeKind.CAPABILITY: _CAPABILITY[0],
    NodeKind.OPAQUE: _CAPABILITY[0],
} | dict.fromkeys((NodeKind.SCOPE, NodeKind.REASON, NodeKind.MORE), _SCOPE)
_CHAR = 7.83  # the width of a letter of the monospaced font
_FITS = {NodeKind.SKILL: 17, NodeKind.SCOPE: 33, NodeKind.REASON: 43, NodeKind.MORE: 43}
_PLACE = 25
_FONT = 'font-family="ui-sans-serif, system-ui, sans-serif"'
_SAID = {Stand.OUTSIDE: "escapes", Stand.DENIED: "denied"}  # beside a scope; others have the usual one
_LEGEND = {
    Stand.INSIDE: "inside the manifest",
    Stand.OUTSIDE: "escapes",
    Stand.DENIED: "denied",
    Stand.UNDECLARED: "no manifest",
    Stand.UNKNOWN: "not understood",
}
_DASHES = {Origin.INSTRUCTED: "9 5", Origin.HOOK: "1 6"}
_LINES = {Origin.SCRIPT: "a script does it", Origin.INSTRUCTED: "the text asks for it", Origin.HOOK: "runs by itself"}


class _Drawn(NamedTuple):
    """A node and its line."""

    node: Node
    y: float
    below: tuple[_Drawn, ...] = ()


def map_css() -> str:
    """Return the style sheet of maps; a page has it once."""
    return (Path(__file__).parent / "pages" / "map.css").read_text("utf-8")


def map_shapes(prefix: str) -> str:
    """Return the named shapes of maps, as an invisible picture."""
    area = f'<rect id="{prefix}-area" x="-14" y="-12" width="{_WIDTH - _SCOPE + 6}" height="24" rx="6" fill="none"/>'
    return f'<svg width="0" height="0" aria-hidden="true"><defs>{mark_shapes(prefix)}{area}</defs></svg>'


def map_svg(
    report: Report, href: Href = lambda _: None, *, ident: str = "map", most: int = SCOPES, shapes: str = ""
) -> str:
    """Return the picture. `href` returns the target of a node, None for none; `ident` distinguishes maps on one page.

    `shapes` is the prefix of the shapes that the page has for all of its maps; without it a map has its own.
    """
    root = capability_map(report, most)
    below, bottom = _rows(root)
    middle = (below[0].y + below[-1].y) / 2 if below else 0
    drawn = _Drawn(root, min(max(middle, _TOP + _SKILL[2] / 2), _LOWEST), below)
    bottom = max(bottom, drawn.y + _SKILL[2] / 2 + _GAP)
    height = round(bottom + 38)
    title = f"What {visible(root.name)} can do"
    ident = _text(ident)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="remit-map" viewBox="0 0 {_WIDTH} {height}" role="group"',
        f' aria-labelledby="{ident}-title {ident}-words" {_FONT} fill="currentColor" font-size="13">',
        f'<title id="{ident}-title">{_text(title)}</title>',
        f'<desc id="{ident}-words">{_text(words(root))}</desc>',
        "" if shapes else map_shapes(ident),
        *_heads(),
        '<g fill="none" stroke="currentColor" stroke-opacity=".55" stroke-linecap="round" aria-hidden="true">',
        *_links(drawn),
        "</g>",
        *_node(drawn, href, shapes or ident),
        *_legend(root, height - 20, shapes or ident),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


# ── where things stand ──


def _rows(root: Node) -> tuple[tuple[_Drawn, ...], float]:
    """Return capabilities centred on their scopes, one below the other; and where they end."""
    at, out = float(_TOP), []
    for node in root.below:
        room = max(len(node.below) * _ROW, _CAPABILITY[2])
        first = at + (room - len(node.below) * _ROW + _ROW) / 2
        scopes = tuple(_Drawn(one, first + number * _ROW) for number, one in enumerate(node.below))
        out.append(_Drawn(node, at + room / 2, scopes))
        at += room + _GAP
    return tuple(out), at


def _heads() -> Iterator[str]:
    for x, text in ((_SKILL[0], "skill"), (_CAPABILITY[0], "can"), (_SCOPE - 10, "to")):
        yield f'<text x="{x}" y="26" class="head small" aria-hidden="true">{text}</text>'


def _links(drawn: _Drawn) -> Iterator[str]:
    """Return the curves; those that look the same are one path."""
    looks: dict[str, list[str]] = {}
    for node, curve in _curves(drawn):
        looks.setdefault(_look(node), []).append(curve)
    for look, curves in looks.items():
        whole = "".join(curves)
        yield f'<path {look} d="{whole}"/>'


def _curves(drawn: _Drawn) -> Iterator[tuple[Node, str]]:
    left, width, height = _SKILL
    count = len(drawn.below)
    for number, one in enumerate(drawn.below):
        spread = (number + 0.5) / count - 0.5
        yield one.node, _curve(left + width, drawn.y + spread * (height - 24), _CAPABILITY[0], one.y)
        for scope in one.below:
            yield scope.node, _curve(_CAPABILITY[0] + _CAPABILITY[1], one.y, _SCOPE - 16, scope.y)


def _curve(x: float, y: float, to_x: float, to_y: float) -> str:
    wide, bend, high = to_x - x, (to_x - x) / 2, _number(to_y - y)
    return f"M{_number(x)} {_number(y)}c{_number(bend)} 0 {_number(bend)} {high} {_number(wide)} {high}"


def _look(node: Node) -> str:
    """Return the style of a curve: wider for more locations; dashed where no script causes it."""
    wide = 1.5 + min(log2(max(len(node.places), 1)), 5)
    only = next(iter(node.origins)) if len(node.origins) == 1 else Origin.SCRIPT
    dash = f' stroke-dasharray="{_DASHES[only]}"' if only in _DASHES else ""
    return f'class="{_color(node)}" stroke-width="{_number(wide)}"{dash}'


def _number(value: float) -> str:
    return f"{round(value, 1):g}"


# ── nodes ──


def _node(drawn: _Drawn, href: Href, shapes: str) -> Iterator[str]:
    """Return a node, drawn around its point, and those below it."""
    node = drawn.node
    target = href(node)
    tag = "a" if target else "g"
    where = f' href="{_text(target)}"' if target else ""
    at = f"{_LEFT[node.kind]} {_number(drawn.y)}"
    yield f'<{tag} class="node {node.kind} stands-{node.stand}"{where} transform="translate({at})">'
    yield f"<title>{_text(_label(node))}</title>"
    yield from _PAINTERS[node.kind](node, shapes)
    yield f"</{tag}>"
    for one in drawn.below:
        yield from _node(one, href, shapes)
    if node.kind is NodeKind.SKILL and not drawn.below:
        yield f'<text x="{_CAPABILITY[0]}" y="{_number(drawn.y + 4.5)}" class="faint">exercises no capability</text>'


def _label(node: Node) -> str:
    said = [node.name]
    if node.kind is NodeKind.SCOPE:
        said = [f"{node.capability} on {node.name}", *([_SAID[node.stand]] if node.stand in _SAID else [])]
    if node.kind is NodeKind.CAPABILITY:
        said.append(str(vocabulary()[node.name].level))
    said += [node.note] if node.note else []
    if node.places:
        said.append(_at(node.places))
    return visible(", ".join(said))


def _at(places: tuple[Location, ...]) -> str:
    few = ", ".join(map(str, places[:3]))
    return f"at {few}" + (f" and {counted(len(places) - 3, 'more location')}" if len(places) > 3 else "")


def _skill(node: Node, shapes: str) -> Iterator[str]:
    shape = drawn_mark(shapes, node.stand, ' x="22" y="15"')
    yield f'<g class="{_color(node)}">{_box(_SKILL, 12)}{shape}</g>'
    yield f'<text x="14" y="-9" class="strong" font-size="15">{_text(_fit(node))}</text>'
    name, _, more = node.note.partition(" if ")
    yield f'<text x="38" y="19.5">{_text(name)}{" if …" if more else ""}</text>'


def _capability(node: Node, shapes: str) -> Iterator[str]:
    level = vocabulary()[node.name].level
    yield f'<g class="{_color(node)}">{_box(_CAPABILITY, 9)}{pips(level, 13, 8)}</g>'
    if node.stand in _SAID:
        at = f' class="stand-{node.stand}" transform="translate({_CAPABILITY[1] - 19} -8) scale(.8)"'
        yield drawn_mark(shapes, node.stand, at)
    yield f'<text x="13" y="-3" class="strong">{_text(node.name)}</text>'
    yield f'<text x="42" y="13" class="faint small">{level}</text>'
    yield _count(node)


def _opaque(node: Node, shapes: str) -> Iterator[str]:
    shape = drawn_mark(shapes, node.stand, ' x="21"')
    yield f'<g class="{_color(node)}">{_box(_CAPABILITY, 9, dashed=True)}{shape}</g>'
    yield f'<text x="38" y="-3" class="strong">{_text(node.name)}</text>'
    yield '<text x="38" y="13" class="faint small">could be anything</text>'
    yield _count(node)


def _count(node: Node) -> str:
    said = counted(len(node.places), "location")
    return f'<text x="{_CAPABILITY[1] - 12}" y="13" class="faint small end">{said}</text>'


def _scope(node: Node, shapes: str) -> Iterator[str]:
    shown = _fit(node)
    yield from _line(node, shapes)
    yield f'<text x="16" y="4.5" class="mono">{_text(shown)}</text>'
    if node.stand in _SAID:
        at = 26 + width_of(shown) * _CHAR
        yield f'<text x="{at:.0f}" y="4.5" class="strong {_color(node)}">{_SAID[node.stand]}</text>'


def _reason(node: Node, shapes: str) -> Iterator[str]:
    yield from _line(node, shapes)
    yield f'<text x="16" y="4.5">{_text(_fit(node))}</text>'


def _more(node: Node, shapes: str) -> Iterator[str]:
    yield _area(shapes)
    yield f'<text x="16" y="4.5" class="faint">{_text(_fit(node))}</text>'


_PAINTERS = {
    NodeKind.SKILL: _skill,
    NodeKind.CAPABILITY: _capability,
    NodeKind.OPAQUE: _opaque,
    NodeKind.SCOPE: _scope,
    NodeKind.REASON: _reason,
    NodeKind.MORE: _more,
}


# ── pieces ──


def _color(node: Node) -> str:
    """Return the colour class of a node: a capability by its level, a scope too unless it escapes, all others by their
    standing.
    """
    if not node.capability or (node.stand is Stand.OUTSIDE and node.kind is not NodeKind.CAPABILITY):
        return f"stand-{node.stand}"
    return f"level-{vocabulary()[node.capability].level}"


def _box(of: tuple[int, int, int], round_: int, *, dashed: bool = False) -> str:
    _, width, height = of
    dash = ' stroke-dasharray="5 4"' if dashed else ""
    return f'<rect class="area box" y="{-height // 2}" width="{width}" height="{height}" rx="{round_}"{dash}/>'


def _area(shapes: str) -> str:
    return f'<use class="area" href="#{shapes}-area"/>'


def _line(node: Node, shapes: str) -> Iterator[str]:
    """Return what every line at the right has: room to point at, a mark, and its first location."""
    yield _area(shapes)
    yield drawn_mark(shapes, node.stand, f' class="{_color(node)}"')
    more = f" +{len(node.places) - 1}" if len(node.places) > 1 else ""
    place = shorten(visible(str(node.places[0])), _PLACE - len(more)) + more
    yield f'<text x="{_WIDTH - 14 - _SCOPE}" y="4" class="mono place end">{_text(place)}</text>'


def _legend(root: Node, y: float, shapes: str) -> Iterator[str]:
    """Return the marks and lines of this map, with their meaning."""
    stands = {scope.stand for node in root.below for scope in node.below}
    origins = {origin for node in root.below for origin in node.origins}
    x = float(_SKILL[0] + 8)
    yield '<g class="legend faint small" aria-hidden="true">'
    for stand, said in _LEGEND.items():
        if stand in stands:
            color = f' class="stand-{stand}"' if stand in (Stand.OUTSIDE, Stand.UNKNOWN) else ""
            yield drawn_mark(shapes, stand, f'{color} x="{x:.0f}" y="{y - 4}"')
            yield f'<text x="{x + 14:.0f}" y="{y}">{said}</text>'
            x += 38 + len(said) * 6.6
    for origin, said in _LINES.items():
        if origin in origins and origins != {Origin.SCRIPT}:
            dash = f' stroke-dasharray="{_DASHES[origin]}"' if origin in _DASHES else ""
            yield f'<path d="M{x:.0f} {y - 4}h30" stroke="currentColor" stroke-width="2" stroke-linecap="round"{dash}/>'
            yield f'<text x="{x + 38:.0f}" y="{y}">{said}</text>'
            x += 62 + len(said) * 6.6
    yield "</g>"


def _fit(node: Node) -> str:
    """Return the name in the available room, some of which a word about the scope's standing takes."""
    said = len(_SAID.get(node.stand, "")) if node.kind is NodeKind.SCOPE else 0
    return shorten(visible(node.name), _FITS[node.kind] - said)


def _text(text: str) -> str:
    return escape(visible(text))
