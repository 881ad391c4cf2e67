"""Pictures of models: everything is drawn once, nothing lies over something else, and what is too large is refused."""

from itertools import combinations, pairwise
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toys import jugs

from each_row import each_row
from remit.cli import main
from remit.core.errors import LimitError, UsageError
from remit.models.explore.drawing.graph import story_alone, whole, with_mutant
from remit.models.explore.drawing.layout import Box, EdgeLine, place
from remit.models.explore.drawing.svg import drawn
from remit.models.explore.registry import MODELS, models
from remit.models.explore.search import explore

SVG = "{http://www.w3.org/2000/svg}"


def parts(picture):
    root = ET.fromstring(drawn(picture))
    boxes = [one for one in root.iter(f"{SVG}rect") if "box" in one.get("class", "")]
    ways = [one for one in root.iter(f"{SVG}path") if "way" in one.get("class", "")]
    return boxes, ways


def test_every_state_and_way_of_a_model_is_drawn_once():
    model = jugs()
    picture = whole(model, 50)
    assert len(picture.states) == explore(model).states
    boxes, ways = parts(picture)
    assert (len(boxes), len(ways)) == (len(picture.states), len(picture.ways))
    assert sum("initial" in one.get("class") for one in boxes) == 1
    assert {action for way in picture.ways for action, _ in way.labels} == {one.name for one in model.actions()}
    assert all(way.start != way.end for way in picture.ways)


@each_row("name", MODELS)
def test_the_story_of_a_red_is_drawn(name):
    (model,) = models([name])
    picture = story_alone(model, model.mutants[0].name)
    boxes, ways = parts(picture)
    assert all("story" in one.get("class") for one in ways)
    assert [number for number, one in enumerate(boxes) if "bad" in one.get("class")] == [picture.bad]


def test_a_red_is_drawn_among_everything_else():
    (model,) = models(["approvals"])
    picture = with_mutant(model, "does not spend an answer", 60)
    boxes, ways = parts(picture)
    assert len(boxes) > len(picture.path) + 1
    assert sum("story" in one.get("class") for one in ways) == len(picture.path) == 3
    assert picture.violated == "once-is-once"


def test_what_nobody_could_read_and_what_is_not_there(capsys):
    (model,) = models(["approvals"])
    with pytest.raises(LimitError, match="more than 17 states"):
        whole(model, 17)
    assert len(whole(model, 18).states) == 18
    with pytest.raises(UsageError, match="`nothing` is no mutant of `approvals`"):
        story_alone(model, "nothing")
    assert main(["models", "graph", "delivery"]) == 2
    assert "--mutant NAME --story" in capsys.readouterr().err
    assert main(["models", "graph", "approvals", "--story"]) == 2
    assert main(["models", "graph", "nobody"]) == 2
    assert main(["models", "graph", "approvals", "-o", "/proc/nowhere/a.svg"]) == 2


def test_the_command(tmp_path, capsys, snapshot):
    path = tmp_path / "approvals.svg"
    assert main(["models", "graph", "approvals", "-o", str(path)]) == 0
    assert capsys.readouterr().out == ""
    assert main(["models", "graph", "approvals"]) == 0
    text = capsys.readouterr().out
    assert path.read_text("utf-8") == text == snapshot


def test_names_that_look_like_markup():
    model = jugs()
    picture = whole(model, 50)._replace(about='<script>"&\x1b', violated=model.invariants[0].name)
    assert "<script>" not in drawn(picture)
    assert ET.fromstring(drawn(picture)).find(f"{SVG}title").text == 'jugs, with code that <script>"&?'


SIZES = st.builds(Box, st.floats(10, 90), st.floats(10, 40))


@given(st.data(), st.integers(1, 9))
def test_nothing_lies_over_something_else(data, count):
    boxes = data.draw(st.lists(SIZES, min_size=count, max_size=count))
    pairs = st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)).filter(lambda one: one[0] != one[1])
    ways = data.draw(st.lists(pairs, max_size=14, unique=True)) if count > 1 else []
    lines = [EdgeLine(start, end, data.draw(SIZES)) for start, end in ways]
    found = place(boxes, lines, [0])
    things = [
        *zip(boxes, found.boxes, strict=True),
        *((line.label, at) for line, at in zip(lines, found.labels, strict=True)),
    ]
    for (one, (x, y)), (other, (u, v)) in combinations(things, 2):
        apart = (
            abs(x - u) >= (one.width + other.width) / 2 - 1e-6 or abs(y - v) >= (one.height + other.height) / 2 - 1e-6
        )
        assert apart
    for line, points in zip(lines, found.lines, strict=True):
        assert (points[0], points[-1]) == (found.boxes[line.start], found.boxes[line.end])
        steps = [b[1] - a[1] for a, b in pairwise(points)]
        assert all(one > 0 for one in steps) or all(one < 0 for one in steps)
    for box, (x, y) in things:
        assert x - box.width / 2 >= -1e-6
        assert x + box.width / 2 <= found.size[0] + 1e-6
        assert 0 <= y <= found.size[1]
