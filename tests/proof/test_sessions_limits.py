"""Limits of entries in Method C: what they mean is said twice, and both readings agree."""

from hypothesis import given, settings
from hypothesis import strategies as some
from sessions_values import entry

from remit.manifest.constraints_read import DAYS
from remit.manifest.model import Constraints, Decision, Manifest, RateLimit, TimeWindow
from remit.policy.limits import Moment, in_window
from remit.policy.limits import _within as within
from remit.proof.sessions.kinds import alphabet
from remit.proof.sessions.manifest_semantics import Circumstances, _is_free, _is_open_at, circumstances, under

MINUTES = some.integers(0, 24 * 60)
WINDOWS = some.builds(
    TimeWindow,
    some.lists(some.sampled_from(DAYS), unique=True).map(lambda found: tuple(day for day in DAYS if day in found)),
    MINUTES.filter(lambda minute: minute < 24 * 60),
    MINUTES,
).filter(lambda window: window.start != window.end)


def limited(capability, text, effect=Decision.ALLOW, **limits):
    return entry(capability, text, effect)._replace(constraints=Constraints(**limits))


@settings(max_examples=300, deadline=None)
@given(WINDOWS, some.integers(0, 2**34))
def test_both_readings_of_a_window_agree(window, seconds):
    assert _is_open_at(window, seconds) == in_window(window, Moment(seconds))
    for one in circumstances(limited("file.read", "./a", time_window=window)):
        assert _is_open_at(window, one.seconds) == in_window(window, Moment(one.seconds))


@given(some.builds(RateLimit, some.integers(1, 5), some.integers(1, 100)), some.lists(some.integers(0, 400)))
def test_no_use_is_free_that_the_second_reading_refuses(limit, used):
    when = Circumstances(300, (), tuple(used))
    assert _is_free(limit, when) or not within(limit, Moment(300), used)


def test_each_limit_is_asked_about_at_its_edges():
    hours = limited("file.read", "./a", time_window=TimeWindow(("mon",), 540, 1020))
    names = {one.name for one in circumstances(hours)}
    assert {
        "at mon 09:00",
        "at mon 08:59",
        "at mon 17:00",
        "at mon 16:59",
        "at tue 09:00",
        "within its limits",
    } <= names
    rated = limited("web.post", "a.example:443", rate_limit=RateLimit(2, 60))
    assert {one.used for one in circumstances(rated)} >= {(0,), (0, 0), (-59, -59)}
    valued = limited("tool.invoke", "send", arguments=(("to", ("me", 1)),))
    assert {one.arguments for one in circumstances(valued)} == {(("to", "me"),), (), (("to", "me-remit7w"),)}


def test_what_limits_leave_of_a_manifest():
    day = limited("file.read", "./a", time_window=TimeWindow((), 0, 60))
    lunch = limited("file.read", "./a/b", Decision.DENY, time_window=TimeWindow((), 30, 60))
    manifest = Manifest("remit.json", (day, lunch))
    assert under(manifest, Circumstances(0)).permissions == (day,)
    assert [one.effect for one in under(manifest, Circumstances(30 * 60)).permissions] == [
        Decision.ALLOW,
        Decision.DENY,
    ]
    assert under(manifest, Circumstances(3600)).permissions == ()


def test_the_kinds_of_an_entry_with_limits_name_when():
    hours = limited("file.write", "./a", time_window=TimeWindow((), 540, 1020))
    found = {kind.name: kind for kind in alphabet(Manifest("remit.json", (hours,)), (), ()).kinds}
    assert found["file.write ./a (at mon 08:59)"].standing == found["file.write ./a (at mon 08:59)"].meant == "outside"
    assert found["file.write ./a (at mon 09:00)"].standing == "reversible"
