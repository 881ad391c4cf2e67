"""Requests that are nearly right: what an endpoint takes, with one thing changed. And connections that are hardly HTTP at all."""

import json
import random
import secrets
import time

from remit.authority.policy_files import read_tables
from remit.authority.question.answers import answer_digest, look_up
from remit.authority.question.layout import question_size
from remit.authority.question.questions import ServerQuestion, ask
from remit.authority.question.slots import spoken
from remit.authority.server.app import write_question
from remit.authority.values.action import new_action
from remit.authority.values.opening import LookUp, open_for
from remit.authority.values.proof import Context, Proof, sign
from remit.core.strictjson import strict_json
from remit.executor.accept import Presented
from remit.executor.forms import write_presented
from remit.gateway.acts import RefusedError, parse_act, read_act
from remit.gateway.deployment.plan import KID
from remit.gateway.games.direct_client import credential_in, given_in, keys_in
from remit.gateway.games.forged_presentations import message
from remit.policy.dlp.classes import classes

VALUES = [
    None, True, False, 0, 1, -1, 2**31, 2**53, 2**63, 2**200, "", " ", "\0", "\ud800", "x" * 5000, "0" * 32, "f" * 64, "é", "\u202e",
    [], [[]], {}, {"": None}, [None] * 200, {"to": "anna@example.org"}, "../../etc/passwd", "anna@example.org\r\nBcc: eve@evil.example",
]  # fmt: skip
NUMBERS = [b"1.5", b"1e400", b"NaN", b"-Infinity", b"9" * 5000, b"01", b"+1", b"0x10"]


def places(value, at=()):
    """Every place in a JSON value."""
    yield at
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, one in inner:
        yield from places(one, (*at, name))


def changed(draw, value):
    """The value with one place changed: another value, nothing, a field more, a text with a letter more or less."""
    value = json.loads(json.dumps(value))
    at = draw.choice([place for place in places(value) if place] or [()])
    if not at:
        return draw.choice(VALUES)
    holder = value
    for name in at[:-1]:
        holder = holder[name]
    old = holder[at[-1]]
    how = draw.randrange(6)
    if how == 0:
        del holder[at[-1]]
    elif how == 1 and isinstance(holder, dict):
        holder[draw.choice(["caller", "session", "user_confirm", "x", "\0", "__proto__"])] = draw.choice(VALUES)
    elif how == 2 and isinstance(old, str) and old:
        place = draw.randrange(len(old))
        holder[at[-1]] = old[:place] + draw.choice('0aZ é\0"{') + old[place + draw.randrange(2) :]
    elif how in (3, 4) and isinstance(old, str) and old.isalnum():  # of the same form still
        place = draw.randrange(len(old))
        holder[at[-1]] = old[:place] + draw.choice("0123456789abcdef") + old[place + 1 :]
    elif how == 3 and isinstance(holder, list):
        holder.append(old)
    elif how == 4:
        holder[at[-1]] = [old]
    else:
        holder[at[-1]] = draw.choice(VALUES)
    return value


def spoiled(draw, body):
    """Bytes that are no JSON value, or one that two readers read in two ways."""
    how = draw.randrange(8)
    if how == 0:
        return body[: draw.randrange(len(body))]
    if how == 1:
        place = draw.randrange(len(body))
        return body[:place] + bytes((draw.choice([0, 0x80, 0xC0, 0xFF, 0x22, 0x7B]),)) + body[place + 1 :]
    if how == 2:
        return b'{"a":' * 3000 + body
    if how == 3:
        return b"[" * 100_000
    if how == 4:  # a key that occurs twice
        return body[:-1] + b"," + body[1:] if len(body) > 2 else b'{"a":1,"a":1}'
    if how == 5:
        return body.replace(b'":', b'":' + draw.choice(NUMBERS) + b',"z":', 1)
    if how == 6:
        return draw.choice([b"\xef\xbb\xbf", b"\xff\xfe", b"\0", b"]"]) + body
    return secrets.token_bytes(draw.randrange(300))


class Mutants:
    """Bodies for one installation; all are to be refused. None, if by chance nothing was changed."""

    def __init__(self, folder, seed):
        self.draw = random.Random(seed)
        self.keys, self.given, self.credential = keys_in(folder), given_in(folder), credential_in(folder)
        self.held = read_tables(folder / "built" / "tables")
        self._granted, self._at = None, 0.0

    def body(self, value):
        """A value with a change, as bytes."""
        if self.draw.random() < 0.35:
            return spoiled(self.draw, json.dumps(value).encode())
        return json.dumps(changed(self.draw, value)).encode()

    def act(self):
        """For the gateway; and whether it is an act after all, so that a preview is the right answer."""
        said = self.draw.choice([
            {"intent_id": "SendMessage", "inputs": {"to": "anna@example.org", "text": "hello", "subject": "s"}},
            {"intent_id": "SendMessage", "inputs": {"to": "anna@example.org", "text": "hello"}, "constraints": {"tx_id": "0" * 32}},
            {"intent_id": "UseCredential", "inputs": {"handle": "0" * 32, "url": "https://example.org/"}},
            {"intent_id": "MemoryWrite", "inputs": {"key": "note", "text": "x"}, "constraints": {"tx_id": secrets.token_hex(16)}},
            {"intent_id": "ReadFile", "inputs": {"path": "/etc/passwd"}},
        ])  # fmt: skip
        body = self.body(said)
        try:
            read_act(parse_act(body))
        except RefusedError:
            return body, False
        return body, True

    def presented(self):
        """For the executor: two right proofs, and a change to what they are about or to themselves."""
        if self._granted is None or time.monotonic() - self._at > 10:
            self._granted, self._at = self._granted_now(), time.monotonic()
        value = {name: self._granted[name] for name in self._granted if name != "secrets"}
        if self.draw.random() < 0.3:
            body = spoiled(self.draw, json.dumps(value).encode())
            try:
                same = strict_json(body)
            except ValueError:
                return body
            return None if json.dumps(same) == json.dumps(value) else body
        other = changed(self.draw, value)
        if json.dumps(other) == json.dumps(value) or (isinstance(other, dict) and other.keys() - value.keys() <= {"secrets"} and all(
            json.dumps(other.get(name)) == json.dumps(value[name]) for name in value
        )):  # fmt: skip
            return None
        return json.dumps(other).encode()

    def _granted_now(self):
        opening = open_for(message("anna@example.org", secrets.token_hex(4)), "0" * 32)  # nobody has that store
        layout, binding, now = self.given.layout, self.given.binding, int(time.time())
        one = LookUp(opening, new_action(now), secrets.token_bytes(32))
        asked = ask(layout, spoken(layout.program, opening.request, classes), binding.question_seed(one)).questions
        answers = tuple(look_up(self.held.program, self.held.tables, n, asked[n]) for n in (0, 1))
        context = Context(layout.digest, layout.database, layout.epoch, binding.ticket(one).hex())
        proofs = tuple(
            sign(Proof(n, KID, now, context, asked[n].digest(), answer_digest(answers[n])), self.keys[n]).to_json()
            for n in (0, 1)
        )
        told = opening.request.spelling(), opening.nonce, one.action_id, one.salt, proofs, answers, self.credential
        return json.loads(write_presented(Presented(*told), {}))

    def outcome(self):
        """For the executor: an action of a right form would be answered."""
        body = self.body({"action_id": new_action(int(time.time()))})
        try:
            told = strict_json(body)
            fine = set(told) == {"action_id"} and len(told["action_id"]) == 32
        except (ValueError, TypeError, KeyError):
            return body
        return None if fine else body

    def question(self):
        """For a policy server: a size or a size class that is none."""
        size = question_size(self.given.layout.program, 0)
        bucket = self.draw.choice([0, 4, 255])
        more = self.draw.choice([-1, 1, -size, 5000])
        question = ServerQuestion(bucket, secrets.token_bytes(max(0, size + more)))
        return write_question(secrets.token_bytes(32), self.given.epoch, question)

    def hardly_http(self, path):
        """A whole connection."""
        post, body = f"POST {path} HTTP/1.1\r\nhost: x\r\n".encode(), b'{"a":1}'
        return self.draw.choice([
            b"\x16\x03\x01\x02\x00", b"\r\n\r\n\r\n", b"POST\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\0" * 100, secrets.token_bytes(200),
            post + b"content-length: -1\r\n\r\n" + body, post + b"content-length: 7\r\ncontent-length: 8\r\n\r\n" + body,
            post + b"content-length: 99999999999999999999999\r\n\r\n" + body, post + b"content-length: 70\r\n\r\n" + body,
            post + b"transfer-encoding: chunked\r\n\r\n7\r\n" + body + b"\r\n0\r\n\r\n",
            post + b"transfer-encoding: chunked\r\n\r\nzz\r\n" + body, post + b"transfer-encoding: chunked\r\n\r\nffffffffffffffffff\r\n" + body,
            post + b"transfer-encoding: chunked\r\ncontent-length: 7\r\n\r\n" + body, post + b"transfer-encoding: gzip\r\n\r\n" + body,
            post + b"expect: 100-continue\r\ncontent-length: 7\r\n\r\n" + body, post + b"connection: upgrade\r\nupgrade: websocket\r\n\r\n",
            post + b"connection: upgrade\r\nupgrade: h2c\r\ncontent-length: 7\r\n\r\n" + body,
            post + b"a: " + b"x" * 70_000 + b"\r\n\r\n", post + b"a: b\r\n" * 9_000 + b"\r\n", post + b"a" * 80_000, post + b"\xff\xfe: \x80\r\n\r\n",
            post + b"authorization: Bearer " + b"A" * 30_000 + b"\r\ncontent-length: 7\r\n\r\n" + body,
            post + b"authorization: Bearer x\r\nauthorization: Bearer y\r\ncontent-length: 7\r\n\r\n" + body,
            b"GET /" + b"%" * 60_000 + b" HTTP/1.1\r\n\r\n", b"GET http://evil.example/ HTTP/1.1\r\n\r\n", b"CONNECT evil.example:1 HTTP/1.1\r\n\r\n",
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", (post + b"content-length: 7\r\n\r\n" + body) * 20,
        ])  # fmt: skip
