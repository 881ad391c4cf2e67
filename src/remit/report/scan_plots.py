"""Pictures of what a scan found, as SVG: bars that can be told apart without colours, and in print.

Texts of strangers become labels: made visible, cut, and never read as formulas.
"""

from __future__ import annotations

import io
import warnings
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.report.document import Word
from remit.report.screen import visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from remit.scan.report.values import Changes, Findings, Reached, Risk

# colours that people with any kind of colour vision tell apart (Okabe and Ito), and hatches besides
_BLUE, _SKY, _GREEN, _ORANGE, _RED, _PINK, _GREY = (
    "#0072b2", "#56b4e9", "#009e73", "#e69f00", "#d55e00", "#cc79a7", "#8a8f98",
)  # fmt: skip
_VERDICTS = {"contained": _GREEN, "escapes": _RED, "opaque": _GREY, "undeclared": _SKY, "unknown": _PINK}
_LEVELS = {
    "normal": (_SKY, ""),
    "dangerous": (_ORANGE, "//"),
    "system": (_RED, "xx"),
    "redact": (_PINK, ".."),
    "": (_GREY, ""),
}
_STYLE: dict[Any, Any] = {
    "svg.fonttype": "none", "svg.hashsalt": "remit", "text.parse_math": False, "text.usetex": False, "font.size": 10,
    "font.family": "sans-serif", "axes.spines.top": False, "axes.spines.right": False, "axes.axisbelow": True,
    "axes.grid": True, "axes.grid.axis": "x", "grid.color": "#dddddd", "hatch.linewidth": 0.6, "hatch.color": "#ffffff",
}  # fmt: skip
_LONG = 52  # characters of a label
_MOST = 25  # bars


class _Bars(NamedTuple):
    """Bars of one kind: a length for each label, to be stacked."""

    title: str
    lengths: Sequence[int]
    color: str
    hatch: str = ""


class Plot(NamedTuple):
    """A picture, and what it shows for those who do not see it."""

    svg: str
    said: str


def scan_plots(found: Findings) -> dict[str, Plot]:
    """The pictures by the names of their sections; what nothing was found of has none."""
    from matplotlib import rc_context  # noqa: PLC0415  an extra, and slow to import

    with rc_context(_STYLE), warnings.catch_warnings():
        warnings.simplefilter(
            "ignore"
        )  # letters that the font for measuring lacks: whoever shows the picture has others
        return {name: Plot(_svg(figure), said) for name, said, figure in _figures(found)}


def _figures(found: Findings) -> Iterator[tuple[str, str, Figure]]:
    if found.changes is not None and found.changes.capabilities:
        yield "changes", "how many skills gained and lost each capability", _changes(found.changes)
    if found.verdicts:
        lengths = [one.skills for one in found.verdicts]
        labels = [one.name for one in found.verdicts]
        colors = [_VERDICTS.get(name, _GREY) for name in labels]
        yield "verdicts", "how many skills have each verdict", _bars(labels, [_Bars("", lengths, "")], "skills", colors)
    if found.capabilities:
        yield "capabilities", "in how many skills each capability was found, by level", _capabilities(found)
    if found.opaque_kinds:
        kinds = found.opaque_kinds
        shared = [one.skills - one.alone for one in kinds]
        stacked = [
            _Bars("the only reason", [one.alone for one in kinds], _BLUE),
            _Bars("among others", shared, _SKY, "//"),
        ]
        said = "in how many skills places are not understood for each reason, and in how many it is the only one"
        yield "opaque", said, _bars([one.reason for one in kinds], stacked, "skills")
    for name, reached in (("hosts", found.hosts), ("programs", found.programs)):
        if reached:
            yield name, f"how many skills reach each of the {name}", _reached(reached)
    if found.risk.spread:
        yield "risk", "how many contents have which score, and where outliers begin", _risk(found.risk)


def _capabilities(found: Findings) -> Figure:
    shown = found.capabilities[:_MOST]
    levels = [Word(one.capability).level for one in shown]
    stacked = [
        _Bars(
            level or "no level",
            [one.skills if level == own else 0 for one, own in zip(shown, levels, strict=True)],
            *_LEVELS[level],
        )
        for level in _LEVELS
        if level in levels
    ]
    return _bars([one.capability for one in shown], stacked, "skills")


def _reached(reached: Sequence[Reached]) -> Figure:
    return _bars([one.what for one in reached], [_Bars("", [one.skills for one in reached], _BLUE)], "skills")


def _changes(found: Changes) -> Figure:
    shown = found.capabilities[:_MOST]
    both = [
        _Bars("gained", [one.gained for one in shown], _RED, "//"),
        _Bars("lost", [-one.lost for one in shown], _BLUE),
    ]
    return _bars([one.capability for one in shown], both, "skills (lost to the left, gained to the right)", apart=True)


def _risk(found: Risk) -> Figure:
    figure, axes = _figure(3.2)
    axes.grid(visible=True, axis="y")
    axes.bar(
        [one.score for one in found.spread],
        [one.contents for one in found.spread],
        width=found.step * 0.92,
        align="edge",
        color=_BLUE,
    )
    axes.set_yscale("symlog", linthresh=1)
    axes.set_ylim(bottom=0)
    axes.axvline(found.median, color=_GREEN, linestyle=":", linewidth=1.5, label=f"median {found.median:,.1f}")
    axes.axvline(found.fence, color=_RED, linestyle="--", linewidth=1.5, label=f"outliers begin {found.fence:,.1f}")
    axes.set_xlabel("bits")
    axes.set_ylabel("contents (logarithmic)")
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    _legend(figure)
    return figure


def _bars(
    labels: Sequence[str], stacked: Sequence[_Bars], unit: str, colors: Sequence[str] = (), *, apart: bool = False
) -> Figure:
    """Horizontal bars, the first label on top. `apart` are stacks that go to two sides."""
    from matplotlib.ticker import MaxNLocator  # noqa: PLC0415

    figure, axes = _figure(0.9 + 0.27 * len(labels))
    rows = range(len(labels))
    base = [0] * len(labels)
    for one in stacked:
        style: dict[str, Any] = {"color": list(colors) or one.color, "hatch": one.hatch, "label": one.title or None}
        axes.barh(list(rows), list(one.lengths), left=base, height=0.74, **style)
        base = base if apart else [start + more for start, more in zip(base, one.lengths, strict=True)]
    if not apart:
        for row, end in zip(rows, base, strict=True):
            axes.annotate(f"{end:,}", (end, row), (4, 0), textcoords="offset points", va="center", color="#333333")
    axes.set_yticks(list(rows), [_label(text) for text in labels])
    axes.invert_yaxis()
    axes.tick_params(axis="y", length=0)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.xaxis.set_major_formatter(lambda value, _: f"{abs(value):,.0f}")
    axes.set_xlabel(unit)
    axes.margins(x=0.09, y=0.02 if len(labels) > 1 else 0.4)
    if any(one.title for one in stacked):
        _legend(figure)
    return figure


def _figure(height: float) -> tuple[Figure, Axes]:
    from matplotlib.figure import Figure  # noqa: PLC0415

    figure = Figure(figsize=(8.4, height), layout="constrained")
    return figure, figure.subplots()


def _legend(figure: Figure) -> None:
    """Above the picture, where no bar is."""
    figure.legend(loc="outside upper right", ncols=len(_LEVELS), frameon=False)


def _label(text: str) -> str:
    text = visible(text)
    return text if len(text) <= _LONG else f"{text[: _LONG - 1]}…"


def _svg(figure: Figure) -> str:
    """The picture without the day on which it was made."""
    out = io.BytesIO()
    figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    text = out.getvalue().decode()
    return text[text.index("<svg") :]
