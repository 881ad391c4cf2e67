"""Generated programs that move a marked value: what arrives is reported, and the check itself can fail."""

from dataclasses import replace

import pytest
from harness.flow_batch import is_moved, outcomes
from harness.generate_flows import LANGUAGES, is_lost, lost_table, moved, steps_of, through
from harness.sandbox import has_bubblewrap, has_node

from each_row import each_row

BY_DAY, BY_NIGHT = range(12), range(12, 132)
SEEDS = [pytest.param(BY_DAY, id="by_day"), pytest.param(BY_NIGHT, id="_nightly")]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seeds", SEEDS)
def test_what_generated_programs_move_is_reported_needs_bubblewrap(language, seeds):
    needed(language)
    programs = [moved(language, seed) for seed in seeds]
    check([program for program in programs if not is_lost(program)])


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_each_carrier_moves_is_reported_needs_bubblewrap_nightly(language):
    needed(language)
    programs = [through(language, step.name)[0] for step in steps_of(language).carriers]
    check([program for program in programs if not is_lost(program)])


def check(programs):
    for found in outcomes(programs):
        assert found.arrived, f"{found.program.names}\n{found.program.text}\n{found.output}"
        assert not found.is_missed, f"{found.program.names}\n{found.program.text}"


@each_row("language", LANGUAGES)
def test_carriers_are_followed_except_those_that_are_listed(language):
    """Nothing is run: the flow is reported, or the analysis says that a part is opaque."""
    lost = [step.name for step in steps_of(language).carriers if not is_moved(through(language, step.name)[0])]
    assert [name for name in lost if (language, name) not in lost_table()] == []
    found = [names for of, names in lost_table() if of == language and all(map(is_moved, through(language, names)))]
    assert found == [], "they are followed now: take them out of lost.table"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_carrier_that_is_not_followed_is_seen(language, monkeypatch):
    import harness.flow_batch as module

    real = module.analysed
    monkeypatch.setattr(module, "analysed", lambda case, folder: replace(real(case, folder), flows=()))
    assert not is_moved(through(language, "json" if language != "shell" else "sed")[0])


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_flow_that_was_not_reported_is_seen_needs_bubblewrap(language, monkeypatch):
    """The analysis is made blind; the check has to notice."""
    needed(language)
    import harness.flow_batch as module

    real = module.analysed
    monkeypatch.setattr(module, "analysed", lambda case, folder: replace(real(case, folder), flows=()))
    found = outcomes(through(language, "json" if language != "shell" else "sed")[:1])
    assert [one.is_missed for one in found] == [True]


@each_row("language", LANGUAGES)
def test_carriers_have_names_of_their_own(language):
    names = [step.name for step in steps_of(language).carriers]
    assert len(names) == len(set(names)) > 60


def needed(language):
    if not has_bubblewrap():
        pytest.skip("bubblewrap is not usable here")
    if language == "javascript" and not has_node():
        pytest.skip("node is not installed")
