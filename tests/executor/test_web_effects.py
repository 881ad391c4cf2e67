"""What the executor fetches and posts: only addresses that are open, never where a redirect leads, and never in plain text by chance."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

import pytest

from remit.executor.effects import web as web_module
from remit.executor.effects.adapter import NotDoneError
from remit.executor.effects.web import Fetch, Post, Web


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.seen.append(("GET", self.path, dict(self.headers), b""))
        if self.path.startswith("/away"):
            self.send_response(302)
            self.send_header("Location", "http://169.254.169.254/latest/meta-data/")
            self.end_headers()
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/plain")
        self.end_headers()
        self.wfile.write(b"x" * 5_000_000 if self.path == "/much" else b"hello")

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.seen.append(("POST", self.path, dict(self.headers), body))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


@pytest.fixture
def site():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.seen = []
    runner = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    runner.start()
    yield SimpleNamespace(at=f"127.0.0.1:{server.server_address[1]}", seen=server.seen)
    server.shutdown()
    server.server_close()
    runner.join()


def accepted(url, secrets=None, **inputs):
    return SimpleNamespace(action_id="a" * 32, inputs={"url": url, **inputs}, secrets=secrets or {})


def fetch(web, url):
    return Fetch(web).happen(accepted(url))


def post(web, secrets=None, **inputs):
    return Post(web).happen(accepted(secrets=secrets, **inputs))


def opened(site):
    return Web(frozenset({site.at}), frozenset({site.at}))


def test_what_the_operator_opened_is_fetched(site):
    done = fetch(opened(site), f"http://{site.at}/a?b=c")
    assert (done.data["status"], done.data["text"], done.data["cut"]) == (200, "hello", False)
    assert site.seen[0][:2] == ("GET", "/a?b=c")


def test_much_is_cut(site):
    done = fetch(opened(site), f"http://{site.at}/much")
    assert done.data["cut"]
    assert len(done.data["text"]) == 4 * 1024 * 1024


def test_a_redirect_is_told_and_not_followed(site):
    done = fetch(opened(site), f"http://{site.at}/away")
    assert done.data["location"] == "http://169.254.169.254/latest/meta-data/"
    assert len(site.seen) == 1


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "localhost",
        "10.0.0.1",
        "169.254.169.254",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "0.0.0.0",
        "192.168.1.1",
        "100.64.0.1",
    ],
)
def test_near_addresses_are_refused_before_anything_is_sent(host):
    with pytest.raises(NotDoneError, match=r"NOT_PUBLIC|ODD_HOST"):
        fetch(Web(), f"https://{host}/")


def test_a_name_that_leads_to_a_near_address_is_refused(site, monkeypatch):
    monkeypatch.setattr(web_module, "_resolved", lambda _: ["127.0.0.1"])
    with pytest.raises(NotDoneError, match="NOT_PUBLIC"):
        fetch(Web(), "https://innocent.example.com/")
    monkeypatch.setattr(web_module, "_resolved", lambda _: ["203.0.113.5", "127.0.0.1"])
    with pytest.raises(NotDoneError, match="NOT_PUBLIC"):
        fetch(Web(), "https://innocent.example.com/")


def test_a_name_is_resolved_once(site, monkeypatch):
    answers = iter([["127.0.0.1"], ["169.254.169.254"]])
    asked = []
    monkeypatch.setattr(web_module, "_resolved", lambda name: asked.append(name) or next(answers))
    name = f"twice.example.com:{site.at.partition(':')[2]}"
    fetch(Web(frozenset({site.at}), frozenset({name})), f"http://{name}/")
    assert asked == ["twice.example.com"]
    assert len(site.seen) == 1


def test_plain_text_must_be_opened(site):
    with pytest.raises(NotDoneError, match="plain text"):
        fetch(Web(frozenset({site.at})), f"http://{site.at}/")
    assert site.seen == []


def test_a_server_without_a_certificate_is_not_spoken_with(site):
    with pytest.raises(NotDoneError, match="certificate"):
        fetch(Web(frozenset({site.at})), f"https://{site.at}/")
    assert site.seen == []


def test_nobody_there_is_certainly_not_done():
    with pytest.raises(NotDoneError, match="does not answer"):
        fetch(Web(frozenset({"127.0.0.1:9"}), frozenset({"127.0.0.1:9"})), "http://127.0.0.1:9/")


def test_a_text_is_posted_with_the_name_of_its_action(site):
    post(opened(site), url=f"http://{site.at}/hook", text="grüße")
    _, path, headers, body = site.seen[0]
    assert (path, body, headers["Idempotency-Key"]) == ("/hook", "grüße".encode(), "a" * 32)
    assert "Authorization" not in headers


def test_the_value_of_a_handle_goes_along_and_does_not_come_back(site):
    handle = "b" * 32
    done = post(opened(site), {handle: b"s3cret"}, url=f"http://{site.at}/api", handle=handle)
    assert site.seen[0][2]["Authorization"] == "Bearer s3cret"
    assert "s3cret" not in str(done)


@pytest.mark.parametrize("value", [b"a\r\nX-Other: 1", b"\xff\xfe"])
def test_a_value_that_is_no_token_does_nothing(site, value):
    with pytest.raises(NotDoneError, match="no token"):
        post(opened(site), {"b" * 32: value}, url=f"http://{site.at}/api", handle="b" * 32)
    assert site.seen == []


@pytest.mark.parametrize(("scheme", "port"), [("https", 443), ("http", 80)])
def test_an_address_without_a_port_has_that_of_its_scheme(scheme, port, monkeypatch):
    asked = []

    def away(address, **_):
        asked.append(address)
        raise OSError

    monkeypatch.setattr(web_module.socket, "create_connection", away)
    with pytest.raises(NotDoneError, match="does not answer"):
        fetch(Web(plain=frozenset({f"93.184.216.34:{port}"})), f"{scheme}://93.184.216.34/")
    assert asked == [("93.184.216.34", port)]


def test_a_payment_posts_what_was_decided_about_and_nothing_besides(site):
    done = post(opened(site), url=f"http://{site.at}/pay", to="shop-1", amount=4200)
    (_, path, headers, body) = site.seen[0]
    assert (done.data["status"], path, body) == (204, "/pay", b'{"amount":4200,"to":"shop-1"}')
    assert headers["Content-Type"] == "application/json"
