"""Figures over HTTP: in the form that Prometheus reads, for this machine alone, and never without an end."""

import http.client
import socket
from pathlib import Path

import pytest
from hearing import free_ports
from prometheus_client import CollectorRegistry, Counter
from prometheus_client.parser import text_string_to_metric_families

from remit.core.errors import UsageError
from remit.telemetry.metrics import Endpoint, Figures


@pytest.fixture
def port():
    return free_ports()


@pytest.fixture
def figures(port):
    made = Figures(("127.0.0.1", port))
    yield made
    made.close()


def scraped(port, path="/metrics", method="GET", **headers):
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=300)
    link.request(method, path, headers=headers)
    answer = link.getresponse()
    return answer.status, answer.read().decode()


def samples(port):
    status, text = scraped(port)
    assert status == 200
    found = text_string_to_metric_families(text)
    return {(one.name, tuple(sorted(one.labels.items()))): one.value for family in found for one in family.samples}


def test_what_was_counted_is_scraped(figures, port):
    figures.count("remit_guard_decisions", ("claude-code", "before", "deny"))
    figures.count("remit_guard_decisions", ("claude-code", "before", "deny"))
    figures.count("remit_guard_faults", ())
    figures.observe("remit_span_seconds", 0.003, ("remit.ask",))
    found = samples(port)
    assert found["remit_guard_decisions_total", (("host", "claude-code"), ("kind", "before"), ("outcome", "deny"))] == 2
    assert found["remit_guard_faults_total", ()] == 1
    assert found["remit_span_seconds_count", (("span", "remit.ask"),)] == 1
    assert not any("_created" in name for name, _ in found)


def test_figures_that_are_kept_elsewhere_are_scraped_too(figures, port):
    other = CollectorRegistry()
    Counter("other", "x", registry=other).inc()
    figures.also(other)
    assert samples(port)["other_total", ()] == 1


def test_labels_have_their_forms_and_their_number_has_an_end(figures, port):
    figures.count("remit_guard_decisions", ("claude-code", "rm -rf /", "AKIAIOSFODNN7EXAMPLE"))
    for number in range(700):
        figures.count("remit_guard_decisions", (f"host-{number}", "before", "deny"))
    found = samples(port)
    assert found["remit_guard_decisions_total", (("host", "claude-code"), ("kind", "other"), ("outcome", "other"))] == 1
    assert len(found) <= 502
    assert found["remit_guard_decisions_total", (("host", "other"), ("kind", "other"), ("outcome", "other"))] > 150
    with pytest.raises(ValueError, match="zip"):
        figures.count("remit_guard_decisions", ("claude-code",))


def test_what_does_not_fit_neither_takes_room_nor_is_kept(figures, port):
    """Whoever names tools as they like must not push out the figures of others, nor fill the memory."""
    for number in range(700):
        figures.count("remit_guard_decisions", ("claude-code", f"{number} " * 1000, "deny"))
    figures.count("remit_guard_decisions", ("codex", "before", "deny"))
    found = samples(port)
    assert found["remit_guard_decisions_total", (("host", "codex"), ("kind", "before"), ("outcome", "deny"))] == 1
    assert (
        found["remit_guard_decisions_total", (("host", "claude-code"), ("kind", "other"), ("outcome", "deny"))] == 700
    )
    assert len(figures._sets["remit_guard_decisions"]) == 2


@pytest.mark.parametrize(
    ("path", "method", "headers", "status"),
    [("/", "GET", {}, 404), ("/metrics?x=1", "GET", {}, 404), ("/metrics", "POST", {}, 501), ("/metrics", "GET", {"Host": "evil.example"}, 403),
     ("/metrics", "GET", {"Host": ""}, 403), ("/metrics", "GET", {"Host": "localhost:1"}, 200), ("/metrics", "GET", {"Host": "[::1]:9"}, 200)],
)  # fmt: skip
def test_one_thing_is_answered_to_who_asks_this_machine(figures, port, path, method, headers, status):
    assert scraped(port, path, method, **headers)[0] == status


def test_it_listens_on_loopback_alone(figures, port):
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    inside = [row[1] for row in rows if row[3] == "0A"]
    assert f"0100007F:{port:04X}" in inside
    assert f"00000000:{port:04X}" not in inside


def test_who_connects_and_is_silent_holds_up_nobody_for_long(figures, port):
    with socket.create_connection(("127.0.0.1", port)):
        figures.count("remit_guard_faults", ())
        assert samples(port)["remit_guard_faults_total", ()] == 1


def test_a_port_that_is_taken_is_said(figures, port):
    with pytest.raises(UsageError, match=f"{port}"):
        Endpoint(("127.0.0.1", port), lambda: b"")
