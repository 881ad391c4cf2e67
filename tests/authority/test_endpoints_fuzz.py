"""Whatever comes to a socket of a running party: it refuses, goes on, and nothing happens. REMIT_FUZZ sets how many requests.

300 is the default; 50,000 is the figure of docs/authority.md.
"""

import asyncio
import http.client
import json
import os
import random
import secrets
import socket
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from remit.authority.question.layout import question_size
from remit.authority.question.questions import ServerQuestion
from remit.authority.server.app import write_question
from remit.gateway.deployment.processes import status
from remit.gateway.games.direct_client import given_in
from remit.gateway.games.installation import Tally, office
from remit.gateway.games.nbe import play_at

COUNT = int(os.environ.get("REMIT_FUZZ", "300"))
WORDS = ["request", "nonce", "proofs", "confirmation", "secrets", "action_id", "commitment", "block", "size", "proof", "signature",
         "intent_id", "inputs", "constraints", "tx_id", "v", "intent", "caller", "session", "to", "text"]  # fmt: skip
LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.integers(2**60, 2**70), st.text(max_size=20),
    st.sampled_from(["0" * 32, "0" * 64, "f" * 128, "eyJ2IjoxfQ==", "\ud800", "\0", "SendMessage", "anna@example.org"]),
)  # fmt: skip
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS) | st.text(max_size=5), inner, max_size=5)
    ),
    max_leaves=10,
)
JSON = st.one_of(VALUES, st.dictionaries(st.sampled_from(WORDS), VALUES, max_size=6)).map(
    lambda value: json.dumps(value).encode()
)
BODIES = st.one_of(
    JSON, st.binary(max_size=300), JSON.map(lambda data: data[: len(data) // 2]),
    st.sampled_from([b"[" * 5000, b'{"a":' * 3000, b"9" * 5000, b"", b"\xff\xfe", b'{"request":1,"request":2}', b"x" * 100_000]),
)  # fmt: skip
HEADERS = st.dictionaries(
    st.sampled_from(["content-type", "authorization", "transfer-encoding", "expect", "x", "content-length"]),
    st.sampled_from(
        ["chunked", "application/json", "Bearer x", "100-continue", "-1", "99999999999999999999", "a", "0"]
    ),
    max_size=2,
)
PLACES = [
    ("gateway", "/act"), ("p0", "/look-up"), ("p1", "/look-up"), ("executor", "/exec"), ("executor", "/outcome"),
]  # fmt: skip
MISSING = 503  # the other server was not asked, or parties are missing


@pytest.fixture(scope="module")
def place():
    with office() as made:
        yield made
        assert made.taken == []
        assert all(one.healthy for one in status(made.folder, made.parties))


def asked(place, name, path, body, headers=None, method="POST"):
    """The status, and the answer as far as it is JSON; nothing if the connection was closed."""
    link = http.client.HTTPConnection("party", timeout=300)
    link.sock = socket.socket(socket.AF_UNIX)
    link.sock.settimeout(20)
    link.sock.connect(str(place.folder / "run" / f"{name}.sock"))
    try:
        link.request(method, path, body, headers or {})
        got = link.getresponse()
        return got.status, got.read()
    except (http.client.HTTPException, ConnectionError, TimeoutError):
        return 400, b""
    finally:
        link.close()


def refused(code, answer):
    """An executor says what it refuses in its answer."""
    return 400 <= code < 500 or code == MISSING or (code == 200 and json.loads(answer).get("status") == "refused")


@given(st.sampled_from(PLACES), BODIES, HEADERS)
@settings(max_examples=COUNT, suppress_health_check=list(HealthCheck), deadline=None)
def test_whatever_is_sent_is_refused(place, where, body, headers):
    code, answer = asked(place, *where, body, headers)
    assert refused(code, answer), (where, code, answer[:300])


@given(
    st.sampled_from(PLACES),
    st.sampled_from(["GET", "PUT", "DELETE", "PATCH", "OPTIONS"]),
    st.text("/abc.%", max_size=9),
)
@settings(max_examples=max(30, COUNT // 10), suppress_health_check=list(HealthCheck), deadline=None)
def test_there_are_no_other_doors(place, where, method, path):
    name, known = where
    assert asked(place, name, known, b"{}", method=method)[0] == 405
    assert asked(place, name, f"/x{path}", b"{}")[0] in (400, 404)


@given(st.sampled_from(["p0", "p1"]), st.integers(0, 255), st.integers(-3, 3), st.integers(0, 2**32))
@settings(max_examples=max(30, COUNT // 10), suppress_health_check=list(HealthCheck), deadline=None)
def test_questions_of_nearly_the_right_form_are_refused(place, name, bucket, more, seed):
    """One byte more or less, or a size class that is none."""
    layout = given_in(place.folder).layout
    size = question_size(layout.program, 0) + more
    if more == 0 and bucket == 0:
        bucket = 1
    question = ServerQuestion(bucket, random.Random(seed).randbytes(size))
    body = write_question(secrets.token_bytes(32), layout.epoch, question)
    code, answer = asked(place, name, "/look-up", body)
    assert code == 400, answer


def test_flaw_13_no_party_serves_its_lists(place):
    """Flaw 13: /meta served the lists, and a query in clear was always on. Health and metrics have no value of a list in them."""
    values = (b"anna", b"boss", b"example.org", b"nightingale", b"note")
    for name in ("gateway", "p0", "p1", "executor"):
        for path in (
            "/meta",
            "/lists",
            "/policy",
            "/query",
            "/pir",
            "/db",
            "/",
            "/docs",
            "/openapi.json",
            "/look-up?index=1",
        ):
            code, answer = asked(place, name, path, None, method="GET")
            assert code in (404, 405), (name, path)
            assert not any(value in answer for value in values)
        for path in ("/health", "/metrics"):
            code, answer = asked(place, name, path, None, method="GET")
            assert code in (200, 404, MISSING), (name, path)
            assert not any(value in answer for value in values), (name, path)
    for name in ("p0", "p1"):  # a value in clear is no question
        for body in (b"anna@example.org", b'{"index": 5}', b'{"value": "anna@example.org"}'):
            assert asked(place, name, "/look-up", body)[0] == 400


def test_afterwards_everything_still_works(place):
    """What two servers allow happens: the parties find one another again, and nothing else had happened."""
    assert place.taken == []
    end = time.monotonic() + 300
    while {asked(place, name, "/health", None, method="GET")[0] for name in ("p0", "p1")} != {200}:
        assert time.monotonic() < end, "the servers did not find one another again"
        time.sleep(0.05)
    tally = Tally("after")
    asyncio.run(play_at(place, tally, 1, "nobody"))
    assert [one for one in tally.tried() if one.won] == []
    assert len(place.taken) == 2
    place.taken.clear()
