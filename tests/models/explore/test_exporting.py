"""Stories as tests: they run by themselves under pytest, and fail when the story does not hold any more."""

import os
import re
import subprocess
import sys

import pytest

from each_row import each_row
from remit.cli import main
from remit.core.errors import UsageError
from remit.models.explore.gates import check_model, check_mutant, read_expected
from remit.models.explore.model import spoiled
from remit.models.explore.registry import MODELS, models
from remit.models.explore.story_export import exported
from remit.models.explore.story_replay import StoryStep, chosen, walk

SMALL = (
    "approvals",
    "handles",
    "pairing",
    "ingress",
)  # plain, without a name, with a canonical form, with operations and a promise

LARGE = 40_000  # states: a promise of the code that is spoiled is looked for in all of them, which takes seconds


def pytest_in(folder):
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=folder,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    return done.returncode, done.stdout


@pytest.mark.parametrize("names", [pytest.param(SMALL[:-1], id="some"), pytest.param(SMALL, id="all_nightly")])
def test_every_story_runs_by_itself_and_fails_when_it_does_not_hold(names, tmp_path, capsys):
    assert main(["models", "check", *names, "--export", str(tmp_path), "-q"]) == 0
    mutants = sum(len(one.mutants) for one in models(names))
    assert len(list(tmp_path.glob("test_*.py"))) == mutants
    code, told = pytest_in(tmp_path)
    assert (code, f"{2 * mutants} passed" in told) == (0, True), told
    # another mutant in its place, a step less, another choice: none of these is the story
    text = (tmp_path / "test_pairing_counts_one_too_few.py").read_text()
    spoils = (
        lambda text: text.replace("counts one too few'", "forgets who waits'"),
        lambda text: re.sub(r"(STEPS = \(\n)    StoryStep.*\n", r"\1", text),
        lambda text: text.replace("'(ann, 3)'", "'(cid, 3)'"),
    )
    wrong = tmp_path / "wrong"
    wrong.mkdir()
    for number, spoil in enumerate(spoils):
        assert spoil(text) != text
        (wrong / f"test_wrong_{number}.py").write_text(spoil(text))
    code, told = pytest_in(wrong)
    assert (code, "3 failed, 3 passed" in told) == (1, True), told
    assert len(set(re.findall(r"^FAILED (test_wrong_\d)", told, re.MULTILINE))) == len(spoils), told


def test_a_green_that_fails_is_a_test_that_passes_when_it_is_mended(tmp_path, monkeypatch, capsys):
    from remit.models.explore import question_states

    real = question_states.step
    admits_all = lambda state, event: real(state, event)._replace(admits=isinstance(event, question_states.Tried))  # noqa: E731
    with monkeypatch.context() as patched:
        patched.setattr(question_states, "step", admits_all)
        assert main(["models", "check", "approvals", "--export", str(tmp_path), "-q"]) == 1
        (model,) = models(["approvals"])
        (found,) = (one for one in exported(check_model(model, read_expected())) if "unchanged" in one.name)
        assert (tmp_path / found.name).read_text() == found.text
        with pytest.raises(AssertionError):
            run_text(found.text)
    run_text(found.text)


def run_text(text):
    """Run a test that passes or fails by what the code in this process is."""
    space = {}
    exec(compile(text, "exported", "exec"), space)
    space["test_the_code_that_runs_does_not_come_to_this"]()


@each_row("name", MODELS)
def test_a_story_of_each_model_is_walked_as_it_was_found(name):
    (model,) = models([name])
    large = read_expected().models[name][0] > LARGE
    mutant = model.mutants[0 if large else -1]  # the last ones break promises
    killed, fault = check_mutant(model, mutant)
    assert not fault
    with spoiled(mutant.patch):
        first, steps = chosen(model, killed.trace)
    again = killed.trace.again
    found = walk(model, mutant.invariant, first, steps, again, mutant.patch)
    assert (found.fails, found.whole, len(found.trace)) == (True, True, len(killed.trace.trace))
    assert [one.action for one in found.trace] == [one.action for one in killed.trace.trace]
    assert not walk(model, mutant.invariant, first, steps, again).fails


def test_what_can_not_be_walked_ends_there():
    (model,) = models(["pairing"])
    found = walk(
        model,
        "cap",
        0,
        (StoryStep("ask", "(ann, 1)"), StoryStep("ask", "(nobody, 1)"), StoryStep("a second passes", "()")),
    )
    assert (len(found.trace), found.whole, found.fails) == (2, False, False)
    assert not walk(model, "cap", 0, (StoryStep("no action", "()"),)).whole
    with pytest.raises(UsageError, match="`nothing` is nothing that `pairing` says"):
        walk(model, "nothing", 0, ())


def test_a_promise_is_missed_only_by_what_goes_round_fairly():
    """The ring of a mutant, walked in the spoiled code from a place at which it does not close."""
    (model,) = models(["turns"])
    (mutant,) = (one for one in model.mutants if one.name == "looks for nobody who is lost")
    killed, _ = check_mutant(model, mutant)
    with spoiled(mutant.patch):
        first, steps = chosen(model, killed.trace)
    assert walk(model, mutant.invariant, first, steps, killed.trace.again, mutant.patch).fails
    assert not walk(model, mutant.invariant, first, steps, 0, mutant.patch).fails
    assert not walk(model, mutant.invariant, first, steps[:-1], len(steps) - 1, mutant.patch).fails


def test_only_our_own_engine_has_stories_to_write(tmp_path, capsys):
    assert main(["models", "check", "approvals", "--engine", "tlc", "--export", str(tmp_path)]) == 2
    assert "`--export` writes stories of the engine `python`" in capsys.readouterr().err
