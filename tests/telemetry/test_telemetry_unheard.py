"""What is told when nobody listens, when a listener fails, and how traces are named."""

import contextlib
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from each_row import each_row
from remit.core import telemetry
from remit.core.telemetry import UNHEARD, Home, of_names, parent_text, part, read_parent

HEX = "0123456789abcdef"
HOMES = st.builds(Home, st.text(HEX, min_size=32, max_size=32), st.text(HEX, min_size=16, max_size=16))


class Failing:
    """Whatever it hears goes wrong."""

    def __getattr__(self, name):
        def fail(*_):
            raise RuntimeError(name)

        return fail


@contextlib.contextmanager
def listening(listener):
    telemetry.listen(listener)
    try:
        yield listener
    finally:
        telemetry.listen(None)


def tell():
    telemetry.count("remit_guard_faults")
    telemetry.event("GUARD_FAULT", detail="x")
    telemetry.event("ACT_REFUSED", code="X", intent="y")
    telemetry.offer(object())
    with telemetry.span("remit.ask", Home("a" * 32)) as span:
        span.note(party="p0")
        telemetry.current().belongs(Home("b" * 32, "c" * 16))
    return span


def test_unheard_everything_is_nothing():
    assert not telemetry.heard()
    assert tell() is UNHEARD
    assert UNHEARD.home is None


def test_a_listener_that_fails_is_not_heard_of():
    with listening(Failing()):
        assert telemetry.heard()
        assert tell() is UNHEARD


def test_what_happens_inside_of_a_span_happens():
    with pytest.raises(ZeroDivisionError), telemetry.span("remit.ask"):
        1 / 0  # noqa: B018


def test_checking_a_skill_imports_nothing_of_it():
    look = "import sys; from remit.cli.main import main; main(['check', sys.argv[1], '-q']); print(*sys.modules, sep='\\n', file=sys.stderr)"
    example = Path(__file__).resolve().parents[2] / "examples" / "sales-report"
    done = subprocess.run(
        [sys.executable, "-c", look, str(example)], capture_output=True, text=True, timeout=300, check=False
    )
    loaded = done.stderr.split()
    assert "remit.cli.check" in loaded
    assert [name for name in loaded if name.startswith(("remit.telemetry", "opentelemetry", "prometheus_client"))] == []


@given(HOMES)
def test_a_parent_is_read_as_it_was_written(home):
    valid = home.trace.strip("0") and home.span.strip("0")
    assert read_parent(parent_text(home)) == (home if valid else None)


@given(st.text() | st.text(HEX + "-", min_size=50, max_size=58))
def test_what_is_no_parent_is_none(text):
    found = read_parent(text)
    assert found is None or text[:53] == parent_text(found)[:53]


@each_row(
    "text",
    ["", "00-" + "a" * 32 + "-" + "b" * 16, "01-" + "a" * 32 + "-" + "b" * 16 + "-01", "00-" + "A" * 32 + "-" + "b" * 16 + "-01",
     "00-" + "a" * 32 + "-" + "b" * 16 + "-01\n", "00-" + "0" * 32 + "-" + "b" * 16 + "-01", "00-" + "a" * 32 + "-" + "0" * 16 + "-01"],
)  # fmt: skip
def test_another_form_is_refused(text):
    assert read_parent(text) is None


@given(st.text(), st.text(), st.text())
def test_names_give_one_trace_and_others_another(first, second, third):
    assert of_names(first, second) == of_names(first, second)
    assert of_names(first, second).span == ""
    assert (of_names(first, second) == of_names(first, third)) == (second == third)


def test_parts_of_a_trace_are_known_to_whoever_knows_the_trace():
    assert part("a" * 32, "preview") == part("a" * 32, "preview") != part("a" * 32, "commit")
    assert len(part("a" * 32, "preview").span) == 16
