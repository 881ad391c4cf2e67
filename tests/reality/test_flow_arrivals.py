"""The cases of tests/flows, run with marked data: each mark that arrives at a host, a file or a child has a reported flow."""

import base64
import bz2
import codecs
import gzip
import hashlib
import io
import zipfile
from dataclasses import replace

import pytest
from harness.flow_cases import flow_cases
from harness.flow_check import unreported, untrue
from harness.flow_match import analysed
from harness.flow_run import can_run_flows, run_case
from harness.marks import Haystack, needles

from each_row import each_row

CASES = flow_cases()
BY_DAY = 18  # one of so many runs by day
NAMES = [pytest.param(name, id=name if at % BY_DAY == 0 else f"{name}_nightly") for at, name in enumerate(CASES)]


@pytest.mark.parametrize("name", NAMES)
def test_what_arrives_was_reported_needs_strace_and_bubblewrap(name, tmp_path):
    needed()
    case = CASES[name]
    ran = run_case(case)
    assert not untrue(case, ran), ran.output
    assert not unreported(case, ran, analysed(case, tmp_path)), case.files


SEEN = {
    "py01-attr-b64-header": "file ~/.ssh/id_rsa > net metrics.teamboard.example",
    "js04-stream-pipe": "file app.log > file app.log.gz",
    "x03-py-environ-sh": "file ~/.ssh/deploy_key > child sh /skill/scripts/check.sh via=env",
}


@each_row("name", SEEN)
def test_a_flow_that_was_not_reported_is_seen_needs_strace_and_bubblewrap(name, tmp_path):
    """The analysis is made blind; the check has to notice."""
    needed()
    case = CASES[name]
    blind = replace(analysed(case, tmp_path), flows=())
    assert SEEN[name] in map(str, unreported(case, run_case(case), blind))


def test_a_case_that_is_wrong_is_seen_needs_strace_and_bubblewrap():
    needed()
    case = CASES["py01-attr-b64-header"]
    turned = case._replace(flows=case.never, never=case.flows)
    found = untrue(turned, run_case(turned))
    assert {line.partition(":")[0] for line in found} == {"not seen", "seen", "not stated"}


def needed():
    if not can_run_flows():
        pytest.skip("strace, bubblewrap and the programs of the cases are not all usable here")


TEXT = "key=mkaaaaaaaaaaaaaaaaaa\n"


def zipped(data):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a", data)
    return out.getvalue()


ENCODED = {
    "plain": lambda data: data,
    "base64 of gzip": lambda data: b'{"x": "' + base64.b64encode(gzip.compress(data)) + b'"}',
    "hexadecimal": lambda data: data.hex().encode(),
    "base32": base64.b32encode,
    "bz2": bz2.compress,
    "zip": zipped,
    "reversed": lambda data: data[::-1],
    "rot13": lambda data: codecs.encode(data.decode(), "rot13").encode(),
    "utf-16": lambda data: data.decode().encode("utf-16"),
    "percent": lambda data: "".join(f"%{byte:02x}" for byte in data).encode(),
    "a digest of the value": lambda data: hashlib.sha256(data.strip().partition(b"=")[2]).hexdigest().encode(),
}


@each_row("how", ENCODED)
def test_marks_are_found_when_they_are_encoded(how):
    hay, mark = Haystack(), TEXT.strip().partition("=")[2]
    hay.add(b"before ", ENCODED[how](TEXT.encode()))
    assert hay.holds(needles(mark, TEXT))
    assert not hay.holds(needles("mkbbbbbbbbbbbbbbbbbb", "key=mkbbbbbbbbbbbbbbbbbb\n"))
