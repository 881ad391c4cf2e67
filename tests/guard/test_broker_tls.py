"""The service that is asked, over https as it is: only a server whose certificate is right is an answerer at all."""

import http.server
import json
import ssl
import threading
from contextlib import contextmanager

import pytest

from remit.authority.wire.certificates import make_authority, make_certificate
from remit.core.errors import GuardError
from remit.guard.approvals import webhook
from remit.guard.approvals.answers import Answer
from remit.guard.approvals.broker_config import Broker, BrokerKind

TOKEN = "pinned-token-pinned-token"


class Service(http.server.BaseHTTPRequestHandler):
    """Says yes, with the token and no signature."""

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        said = json.dumps({"id": asked["id"], "nonce": asked["nonce"], "answer": "once", "who": "ann"}).encode()
        self.server.asked += 1
        self.send_response(200)
        self.send_header(webhook.TOKEN, TOKEN)
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def log_message(self, *args):
        pass


@contextmanager
def serving(folder, name):
    """A service with the certificate of this name."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / f"{name}.crt", folder / f"{name}.key")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
    server.asked = 0
    server.socket = context.wrap_socket(server.socket, server_side=True)
    server.handle_error = lambda *_: None  # a client that goes away in the middle of a handshake is what is tested
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def certificates(tmp_path, monkeypatch):
    """Two authorities, of which this machine trusts one; certificates for this host and for another."""
    for name in ("ours", "theirs"):
        (tmp_path / name).mkdir()
        signing = make_authority(tmp_path / name)
        make_certificate(signing, tmp_path / name, "here", "127.0.0.1")
        make_certificate(signing, tmp_path / name, "elsewhere", "192.0.2.1")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ours/authority.crt"))
    return tmp_path


def ask(server, token=TOKEN):
    broker = Broker(BrokerKind.WEBHOOK, url=f"https://127.0.0.1:{server.server_port}/ask", secret="s" * 40, token=token)
    return webhook.ask(broker, webhook.question("a", "n", {}, 1))


def test_a_server_whose_certificate_is_right_answers_with_the_token(certificates):
    with serving(certificates / "ours", "here") as server:
        assert ask(server) == webhook.VerifiedAnswer(Answer.ONCE, "ann")
        with pytest.raises(GuardError, match="not signed"):
            ask(server, "another")
        assert server.asked == 2


@pytest.mark.parametrize(("signer", "name"), [("theirs", "here"), ("ours", "elsewhere"), ("theirs", "elsewhere")])
def test_a_server_with_another_certificate_is_not_even_asked(certificates, signer, name):
    with serving(certificates / signer, name) as server:
        with pytest.raises(GuardError, match="SSLCertVerificationError"):
            ask(server)
        assert server.asked == 0


def test_a_server_without_tls_is_no_answer(certificates):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
    server.asked = 0
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with pytest.raises(GuardError, match="cannot be asked"):
        ask(server)
    server.shutdown()
    server.server_close()
    assert server.asked == 0
