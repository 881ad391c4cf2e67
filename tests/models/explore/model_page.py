"""The tables of docs/models.md that are made from models, twins and what is recorded of them."""

import re
from pathlib import Path

from measured import read_measured, twins_markdown

from remit.models.explore.gates import read_expected
from remit.models.explore.registry import models
from remit.models.outcomes import PYTHON
from remit.models.tla.registry import MODELS as TWINS
from remit.models.tla.registry import excuses

PAGE = Path(__file__).parents[3] / "docs" / "models.md"


def tables():
    """By the name in the comment that stands above each."""
    measures = read_measured()
    seconds = {name: one.seconds for (engine, name), one in measures.items() if engine == PYTHON}
    return {"models": markdown(models(), read_expected(), seconds), "twins": twins_markdown(TWINS, measures, excuses())}


def markdown(models, expected, seconds):
    """The table of models in docs/models.md, with the recorded numbers.

    `seconds`: the last measured time of each with all its mutants.
    """
    lines = [
        "| model | property | states | transitions | mutants | seconds |",
        "| --- | --- | ---: | ---: | ---: | ---: |",
    ]
    for model in models:
        states, transitions = expected.models.get(model.name, (0, 0))
        took = f"{seconds[model.name]:.1f}" if model.name in seconds else "-"
        lines.append(f"| {model.name} | {model.about} | {states:,} | {transitions:,} | {len(model.mutants)} | {took} |")
    counts = [expected.models.get(model.name, (0, 0)) for model in models]
    count, sums = sum(len(model.mutants) for model in models), [sum(one[place] for one in counts) for place in range(2)]
    lines.append(
        f"| all | {len(counts)} models, {count} mutants | {sums[0]:,} | {sums[1]:,} | {count} | {sum(seconds.values()):.0f} |"
    )
    return "\n".join(lines) + "\n"


def shown(text):
    """What the page has."""
    found = re.findall(r"<!-- (models|twins) -->\n(.*?)<!-- end -->", text, re.DOTALL)
    return dict(found)


def write_page():
    text = PAGE.read_text("utf-8")
    for name, table in tables().items():
        text = re.sub(
            rf"(<!-- {name} -->\n).*?(<!-- end -->)",
            lambda found, table=table: found[1] + table + found[2],
            text,
            flags=re.DOTALL,
        )
    PAGE.write_text(text, "utf-8")
