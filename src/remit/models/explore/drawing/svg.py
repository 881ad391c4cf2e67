"""A self-contained SVG of a graph. Truncated texts are shown in full in a tooltip."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from textwrap import wrap
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from remit.models.explore.drawing.layout import Box, EdgeLine, place
from remit.models.explore.story import told

if TYPE_CHECKING:
    from remit.models.explore.drawing.graph import Picture, Way

# told apart by those who see few colours, too; the story has a colour of its own
_COLOURS = ("#0072b2", "#009e73", "#b8860b", "#cc79a7", "#56b4e9", "#7a5195", "#5c4033", "#4d4d4d")
_BAD = "#d0021b"
_WIDE = 6.1  # of a letter, at the size of boxes
_LINE = 14  # height of a line of text
_ALL_FIELDS = 40  # so many states are drawn with what they hold; of more, the number alone
_LONGEST = {"field": 30, "label": 26}  # letters, where things stand side by side
_ALONE = {"field": 84, "label": 60}  # where one stands below the other
_MARGIN, _HEAD = 24, 26
_STYLE = """text{font:11px ui-monospace,Menlo,Consolas,monospace;fill:#222}
.title{font:600 15px system-ui,sans-serif}.small{font:12px system-ui,sans-serif;fill:#555}
.label{font-size:10px;paint-order:stroke;stroke:#fff;stroke-width:4px}
.box{fill:#fff;stroke:#888}.initial{fill:#e8f1fb;stroke:#0072b2;stroke-width:2}.end{stroke-width:3}
.bad{fill:#fde8ea;stroke:#d0021b;stroke-width:2.5}.way{fill:none;stroke-width:1.2;opacity:.85}.story{stroke-width:3;opacity:1}"""


def drawn(picture: Picture) -> str:
    """Return the text of an SVG file."""
    texts = _texts(picture)
    boxes = [_box(one) for one in texts]
    labels = [_labels(picture, way) for way in picture.ways]
    lines = [EdgeLine(way.start, way.end, _label_box(label)) for way, label in zip(picture.ways, labels, strict=True)]
    placed = place(boxes, lines, picture.initial)
    colours = {action.name: _COLOURS[number % len(_COLOURS)] for number, action in enumerate(picture.model.actions())}
    width = max(placed.size[0], 560) + 2 * _MARGIN
    head, top = _head(picture, colours, width)
    height = placed.size[1] + top + _MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}" role="img">',
        f"<title>{_x(_title(picture))}</title><style>{_STYLE}</style>",
        f"<defs>{_marker('story', _BAD)}{''.join(_marker(f'a{number}', colour) for number, colour in enumerate(_COLOURS))}</defs>",
        f'<rect width="{width:.0f}" height="{height:.0f}" fill="#fff"/>',
        *head,
        f'<g transform="translate({_MARGIN} {top})">',
        *(_way(picture, way, colours, points, boxes) for way, points in zip(picture.ways, placed.lines, strict=True)),
        *(_labelled(way, label, at) for way, label, at in zip(picture.ways, labels, placed.labels, strict=True)),
        *(_state(picture, number, texts[number], boxes[number], at) for number, at in enumerate(placed.boxes)),
        "</g>",
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _title(picture: Picture) -> str:
    return picture.model.name + (f", with code that {picture.about}" if picture.about else "")


def _head(picture: Picture, colours: dict[str, str], width: float) -> tuple[list[str], float]:
    """Title, what it says, and what the marks mean; and how much room that takes."""
    says = picture.model.about
    if picture.violated:
        says = f"`{picture.violated}` fails at the end of the marked path: " + next(
            one.says for one in picture.model.properties if one.name == picture.violated
        )
    texts = wrap(says, int((width - 2 * _MARGIN) / 6.4))
    texts.append(f"{len(picture.states)} states. Blue: where it begins; thick: where it may end.")
    lines = [f'<text class="title" x="{_MARGIN}" y="{_HEAD}">{_x(_title(picture))}</text>']
    across, down = float(_MARGIN), float(_HEAD)
    for text in texts:
        down += 18
        lines.append(f'<text class="small" x="{_MARGIN}" y="{down:.0f}">{_x(text)}</text>')
    down += 20
    shown = [way for way in picture.ways if (way.start, way.end) not in picture.path]
    used = {action for way in shown for action, _ in way.labels}
    for action, colour in colours.items():
        wide = 34 + 6.6 * len(action)
        if action not in used:
            continue
        if across + wide > width - _MARGIN:
            across, down = float(_MARGIN), down + 18
        lines.append(f'<path d="M{across:.0f} {down - 4:.0f}h18" stroke="{colour}" stroke-width="3"/>')
        lines.append(f'<text class="small" x="{across + 24:.0f}" y="{down:.0f}">{_x(action)}</text>')
        across += wide + 10
    return lines, down + (24 if used else 4)


def _texts(picture: Picture) -> list[list[str]]:
    """Return the text of each box: the fields in which states differ, or the number alone if there are many; in a chain,
    the changes.
    """
    chain, most = _chain(picture), _longest(picture)["field"]
    if len(picture.states) > _ALL_FIELDS and not chain:
        return [[str(number)] for number in range(len(picture.states))]
    fields = [_fields(state) for state in picture.states]
    differ = [name for name in fields[0] if len({one.get(name) for one in fields}) > 1]
    found = []
    for number, one in enumerate(fields):
        before = fields[number - 1] if chain and number else {}
        shown = [name for name in differ if name in one and before.get(name) != one[name]]
        found.append([_cut(f"{name} {one[name]}", most) for name in shown] or [str(number)])
    return found


def _chain(picture: Picture) -> bool:
    """Return whether it is a story without repeated states, which is drawn as one column."""
    return all((way.start, way.end) == (number, number + 1) for number, way in enumerate(picture.ways))


def _longest(picture: Picture) -> dict[str, int]:
    return _ALONE if _chain(picture) else _LONGEST


def _fields(state: object) -> dict[str, str]:
    names: Sequence[str] = getattr(state, "_fields", ())
    return {name: told(getattr(state, name)) for name in names} or {"state": told(state)}


def _labels(picture: Picture, way: Way) -> list[str]:
    """Return actions with their choices; actions alone if there are many states."""
    many = len(picture.states) > _ALL_FIELDS and not _chain(picture)
    words = [action if many or choice in ("()", "nothing") else f"{action} {choice}" for action, choice in way.labels]
    found = [_cut(one, _longest(picture)["label"]) for one in dict.fromkeys(words)]
    return found if len(found) <= 3 else [*found[:2], f"and {len(found) - 2} more"]


def _box(lines: Sequence[str]) -> Box:
    return Box(max(map(len, lines)) * _WIDE * 1.09 + 16, len(lines) * _LINE + 10)


def _label_box(lines: Sequence[str]) -> Box:
    return Box(max(map(len, lines)) * _WIDE + 6, len(lines) * 12)


def _way(
    picture: Picture, way: Way, colours: dict[str, str], points: Sequence[tuple[float, float]], boxes: Sequence[Box]
) -> str:
    """A line from the edge of one box to the edge of another, smooth, with an arrow."""
    down = points[-1][1] > points[0][1]
    first, last = boxes[way.start].height / 2, boxes[way.end].height / 2
    (x0, y0), (x1, y1) = points[0], points[-1]
    shift = 0 if down else 9  # ways that lead back leave and arrive a little to the side
    start = (x0 + shift, y0 + (first if down else -first))
    end = (x1 + shift, y1 - (last + 2 if down else -last - 2))
    track = [start, *points[1:-1], end]
    text = f"M{start[0]:.1f} {start[1]:.1f}"
    for (ax, ay), (bx, by) in pairwise(track):
        middle = (ay + by) / 2
        text += f"C{ax:.1f} {middle:.1f} {bx:.1f} {middle:.1f} {bx:.1f} {by:.1f}"
    story = (way.start, way.end) in picture.path
    colour = _BAD if story else colours[way.labels[0][0]]
    marker = "story" if story else f"a{_COLOURS.index(colour)}"
    return f'<path class="way{" story" if story else ""}" d="{text}" stroke="{colour}" marker-end="url(#{marker})"/>'


def _labelled(way: Way, lines: Sequence[str], at: tuple[float, float]) -> str:
    whole = "\n".join(f"{action} {choice}" for action, choice in way.labels)
    top = at[1] - (len(lines) - 1) * 6 + 3
    rows = "".join(
        f'<tspan x="{at[0]:.1f}" y="{top + 12 * number:.1f}">{_x(line)}</tspan>' for number, line in enumerate(lines)
    )
    return f'<text class="label" text-anchor="middle"><title>{_x(whole)}</title>{rows}</text>'


def _state(picture: Picture, number: int, lines: Sequence[str], box: Box, at: tuple[float, float]) -> str:
    marks = ["box"]
    marks += ["initial"] if number in picture.initial else []
    marks += ["end"] if number in picture.ends else []
    marks += ["bad"] if number == picture.bad else []
    left, top = at[0] - box.width / 2, at[1] - box.height / 2
    whole = "\n".join(f"{name} {value}" for name, value in _fields(picture.states[number]).items())
    centred = len(lines) == 1
    across, anchor = (at[0], "middle") if centred else (left + 8, "start")
    rows = "".join(
        f'<tspan x="{across:.1f}" y="{top + 16 + _LINE * row:.1f}">{_x(line)}</tspan>' for row, line in enumerate(lines)
    )
    return (
        f'<g><title>{_x(whole)}</title><rect class="{" ".join(marks)}" x="{left:.1f}" y="{top:.1f}" width="{box.width:.1f}" '
        f'height="{box.height:.1f}" rx="7"/><text text-anchor="{anchor}">{rows}</text></g>'
    )


def _marker(name: str, colour: str) -> str:
    return (
        f'<marker id="{name}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" '
        f'orient="auto-start-reverse"><path d="M0 0L10 5L0 10z" fill="{colour}"/></marker>'
    )


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _x(text: str | Iterable[str]) -> str:
    """Text that cannot be markup; what XML has no place for is a question mark."""
    whole = text if isinstance(text, str) else "".join(text)
    return escape("".join(one if one in "\n\t" or one.isprintable() else "?" for one in whole), {'"': "&quot;"})
