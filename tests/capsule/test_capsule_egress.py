"""The egress proxy: which addresses, which requests, and what is recorded."""

import socket
import struct
import threading
from ipaddress import ip_address

import pytest
from capsules import manifest, needs_capsule, run
from hypothesis import given
from hypothesis import strategies as st

from remit.capsule.egress import proxy as proxy_module
from remit.capsule.egress.addresses import AllowedHost, RefusedHost, checked_addresses, forbidden
from remit.capsule.egress.proxy import Malformed, as_rules, read_head
from remit.capsule.egress.record import Connection, end_line, line_of, read_lines

PUBLIC = "93.184.216.34"


def gives(*addresses):
    return lambda _name: list(addresses)


NOT_PUBLIC = [
    "127.0.0.1", "127.255.255.254", "0.0.0.0", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254",
    "100.64.0.1", "100.100.100.200", "168.63.129.16", "192.0.0.192", "192.0.2.1", "198.18.0.1", "198.51.100.7", "203.0.113.9",
    "192.88.99.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
    "::", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:93.184.216.34", "::127.0.0.1", "64:ff9b::7f00:1",
    "64:ff9b::5db8:d822", "64:ff9b:1::1", "100::1", "2001::1", "2001:db8::1", "2002:7f00:1::", "2002:5db8:d822::", "3fff::1",
    "fc00::1", "fd00:ec2::254", "fe80::1", "fec0::1", "ff02::1", "5f00::1", "::ffff:0:127.0.0.1",
]  # fmt: skip


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_an_address_that_is_not_out_in_the_world_is_refused(address):
    for host, resolve in ((address, gives()), ("a.example", gives(address)), ("a.example", gives(PUBLIC, address))):
        found = checked_addresses(host, 443, resolve)
        assert isinstance(found, RefusedHost)
        assert found.code == "NOT_PUBLIC"


@pytest.mark.parametrize(
    "address", [PUBLIC, "1.1.1.1", "2606:2800:220:1:248:1893:25c8:1946", "172.32.0.1", "100.128.0.1"]
)
def test_an_address_out_in_the_world_is_taken(address):
    assert checked_addresses("a.example", 443, gives(address)) == AllowedHost("a.example", 443, (address,))
    assert checked_addresses(address, 443, gives()) == AllowedHost(address, 443, (address,))


@given(st.ip_addresses())
def test_the_table_refuses_at_least_what_python_does(address):
    if not address.is_global or address.is_multicast:
        assert forbidden(address)


@pytest.mark.parametrize(
    "host",
    ["127.1", "0x7f000001", "2130706433", "0177.0.0.1", "127.0.0.1.", "\uff11\uff12\uff17.0.0.1", "a b", "", "a..b", "[::1", "fe80::1%eth0",
     "::ffff:7f00:1%1", "exa\0mple.com", "a" * 300, "a@b", "example.com:80"],
)  # fmt: skip
def test_odd_spellings_of_hosts_are_refused(host):
    found = checked_addresses(host, 80, gives(PUBLIC))
    assert isinstance(found, RefusedHost)
    assert found.code in ("ODD_HOST", "NOT_PUBLIC")


@pytest.mark.parametrize("port", [0, -1, 65_536])
def test_odd_ports_are_refused(port):
    assert checked_addresses("a.example", port, gives(PUBLIC)).code == "ODD_PORT"


def test_names_without_an_address_are_refused():
    def fails(_name):
        raise OSError("no such name")

    assert checked_addresses("a.example", 80, fails).code == "UNRESOLVED"
    assert checked_addresses("a.example", 80, gives()).code == "UNRESOLVED"
    assert checked_addresses("a.example", 80, gives("not an address")).code == "NOT_PUBLIC"
    assert checked_addresses("a.example", 80, gives(*(f"1.1.1.{n}" for n in range(100)))).code == "UNRESOLVED"


def test_a_name_is_resolved_once_and_the_address_that_was_judged_is_taken():
    answers = iter([[PUBLIC], ["127.0.0.1"]])  # a name server that changes its mind
    found = checked_addresses("a.example", 80, lambda _name: next(answers))
    assert found.addresses == (PUBLIC,)


def test_a_manifest_opens_an_address_by_naming_it():
    named = as_rules(
        [["127.0.0.1", 8080, "fetch", False], ["localhost", None, "all", False], ["*", None, "all", False]]
    ).names
    assert isinstance(checked_addresses("127.0.0.1", 8080, gives(), named), AllowedHost)
    assert isinstance(checked_addresses("127.0.0.1", 8081, gives(), named), RefusedHost)
    assert isinstance(checked_addresses("localhost", 1, gives("127.0.0.1"), named), AllowedHost)
    assert isinstance(checked_addresses("localhost", 1, gives("10.0.0.1"), named), RefusedHost)
    assert isinstance(checked_addresses("a.example", 8081, gives("127.0.0.1"), named), RefusedHost)
    assert isinstance(checked_addresses("10.0.0.1", 1, gives(), named), RefusedHost)  # `*` names no address


RULES = as_rules(
    [
        ["a.example", 443, "fetch", False],
        ["*.b.example", None, "all", False],
        ["x.b.example", None, "all", True],
        ["c.example", 80, "fetch", False],
    ]
)


@pytest.mark.parametrize(
    ("host", "port", "method", "body", "code"),
    [
        ("a.example", 443, "CONNECT", False, None),
        ("a.example", 80, "CONNECT", False, "NOT_GRANTED"),
        ("A.example", 443, "CONNECT", False, "NOT_GRANTED"),  # hosts come in normal form
        ("evil-a.example", 443, "CONNECT", False, "NOT_GRANTED"),
        ("b.example", 443, "CONNECT", False, "NOT_GRANTED"),
        ("deep.y.b.example", 25, "CONNECT", False, None),
        ("x.b.example", 443, "CONNECT", False, "DENIED"),
        ("evilb.example", 443, "CONNECT", False, "NOT_GRANTED"),
        ("c.example", 80, "GET", False, None),
        ("c.example", 80, "HEAD", False, None),
        ("c.example", 80, "GET", True, "METHOD"),
        ("c.example", 80, "POST", False, "METHOD"),
        ("c.example", 80, "DELETE", False, "METHOD"),
        ("y.b.example", 80, "POST", True, None),
    ],
)
def test_requests_are_judged_by_host_port_and_method(host, port, method, body, code):
    found = RULES.judge(host, port, method, body=body)
    assert (found.code if found else None) == code


@pytest.mark.parametrize(
    "rows", [[[1, 2, "all", False]], [["a", "80", "all", False]], [["a", 80, "some", False]], [["a", 80]]]
)
def test_rules_that_are_not_understood_are_no_grants(rows):
    with pytest.raises(ValueError):  # noqa: PT011
        as_rules(rows)


def test_a_rule_whose_denial_is_not_said_is_a_denial():
    assert as_rules([["a.example", None, "all", 0]]).judge("a.example", 80, "GET").code == "DENIED"


def test_a_request_is_sent_on_to_the_host_that_was_judged():
    head = read_head(
        b"GET http://a.example/x?y HTTP/1.1\r\nHost: evil.example\r\nProxy-Authorization: x\r\nA: b\r\nConnection: keep-alive"
    )
    assert (head.method, head.host, head.port) == ("GET", "a.example", 80)
    assert head.onward == b"GET /x?y HTTP/1.1\r\nHost: a.example\r\nA: b\r\nConnection: close\r\n\r\n"
    assert read_head(b"CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443")[:3] == ("CONNECT", "a.example", 443)
    assert read_head(b"POST http://[::1]:8080 HTTP/1.1\r\nContent-Length: 5").onward.startswith(
        b"POST / HTTP/1.1\r\nHost: [::1]:8080"
    )


@pytest.mark.parametrize(
    "data",
    [
        b"GET / HTTP/1.1",
        b"GET https://a.example/ HTTP/1.1",
        b"GET http://u:p@a.example/ HTTP/1.1",
        b"GET http://a.example\\@b.example/ HTTP/1.1",
        b"GET http://a.example#@b.example/ HTTP/1.1",
        b"GET http://a.example?@b.example HTTP/1.1",
        b"GET http://127.1/ HTTP/1.1",
        b"GET http://a.example:99999/ HTTP/1.1",
        b"GET http://a.example/ HTTP/1.1\nX: y",
        b"GET http://a.example/ HTTP/1.1\r\nX: y\nHost: b",
        b"GET http://a.example/ HTTP/1.1\r\n folded: y",
        b"GET http://a.example/ HTTP/1.1\r\nX : y",
        b"GET http://a.example/ HTTP/2",
        b"get http://a.example/ HTTP/1.1",
        b"GET  http://a.example/ HTTP/1.1",
        b"POST http://a.example/ HTTP/1.1\r\nTransfer-Encoding: chunked",
        b"POST http://a.example/ HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 6",
        b"POST http://a.example/ HTTP/1.1\r\nContent-Length: +5",
        b"POST http://a.example/ HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked",
        b"CONNECT a.example HTTP/1.1",
        b"CONNECT http://a.example:443 HTTP/1.1",
        b"CONNECT a.example:443/x HTTP/1.1",
        b"",
        b"\0",
    ],
)
def test_requests_that_two_readers_could_read_differently_are_refused(data):
    with pytest.raises(Malformed):
        read_head(data)


@given(st.binary(max_size=300))
def test_any_bytes_are_a_request_or_malformed(data):
    try:
        head = read_head(data)
    except Malformed:
        return
    assert head.host
    assert 0 < head.port < 65_536
    assert head.onward.count(b"\r\n\r\n") in (0, 1)


def test_the_record_is_whole_or_says_that_it_is_not():
    one = Connection("GET", "a.example", 80, PUBLIC, 0, 0, "open")
    ended = one._replace(sent=3, received=4, outcome="closed")
    lines = [line_of(0, one), line_of(1, one), line_of(0, ended)]
    assert read_lines([*lines, end_line(2)]) == ((ended, one), ())
    assert read_lines(lines).problems == ("the egress proxy ended before its record did",)
    assert read_lines([*lines, end_line(3)]).problems
    assert read_lines([b"[1", *lines, end_line(2)]).problems
    assert read_lines([b'[0, "GET", 5, 80, "", 0, 0, "x"]', end_line(1)]).problems


class Server:
    """A server that answers anything with one answer, and keeps what it was asked."""

    def __init__(self, answer):
        self.asked = []
        self._answer = answer
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = self._server.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while True:
            try:
                client, _ = self._server.accept()
            except OSError:
                return
            with client:
                self.asked.append(client.recv(65_536))
                client.sendall(self._answer)

    def close(self):
        self._server.close()


@pytest.fixture
def server():
    made = Server(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello")
    yield made
    made.close()


@pytest.fixture
def elsewhere():
    made = Server(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecret")
    yield made
    made.close()


FETCH = """
import sys, urllib.request, urllib.error
for method, url in zip(sys.argv[1::2], sys.argv[2::2]):
    try:
        request = urllib.request.Request(url, method=method, data=b"x" if method == "POST" else None)
        print(urllib.request.urlopen(request, timeout=10).read().decode())
    except urllib.error.HTTPError as error:
        print(error.code, error.read().decode().split(":")[1].strip())
    except OSError as error:
        print(type(error).__name__)
"""


def fetch(workspace, made, *words):
    (workspace / "fetch.py").write_text(FETCH)
    return run(workspace, manifest(("file.read", "./fetch.py"), *made), "python3", "fetch.py", *words)


def test_a_granted_host_is_reached_and_nothing_else_needs_bubblewrap(tmp_path, server, elsewhere):
    needs_capsule()
    own = f"http://127.0.0.1:{server.port}/x"
    other = f"http://127.0.0.1:{elsewhere.port}/"
    made = [("web.fetch", f"127.0.0.1:{server.port}")]
    found = fetch(
        tmp_path,
        made,
        "GET",
        own,
        "POST",
        own,
        "GET",
        other,
        "GET",
        "http://169.254.169.254/",
        "GET",
        "http://a.invalid/",
    )
    assert found.output.splitlines() == ["hello", "403 METHOD", "403 NOT_GRANTED", "403 NOT_GRANTED", "403 NOT_GRANTED"]
    assert elsewhere.asked == []
    assert len(server.asked) == 1
    assert server.asked[0].startswith(b"GET /x HTTP/1.1\r\nHost: 127.0.0.1")
    first, *rest = found.ran.egress.connections
    assert (first.method, first.host, first.address, first.port, first.outcome) == (
        "GET",
        "127.0.0.1",
        "127.0.0.1",
        server.port,
        "closed",
    )
    assert first.sent > 20
    assert first.received > 20
    assert [item.outcome for item in rest] == ["METHOD", "NOT_GRANTED", "NOT_GRANTED", "NOT_GRANTED"]
    assert found.ran.egress.problems == ()


def test_a_redirect_is_judged_again_needs_bubblewrap(tmp_path, elsewhere):
    needs_capsule()
    away = f"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:{elsewhere.port}/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    leading = Server(away.encode())
    found = fetch(tmp_path, [("web.fetch", f"127.0.0.1:{leading.port}")], "GET", f"http://127.0.0.1:{leading.port}/")
    leading.close()
    assert found.output.strip() == "403 NOT_GRANTED"
    assert elsewhere.asked == []


def test_a_name_that_leads_home_is_refused_needs_bubblewrap(tmp_path, server):
    """`localhost.localdomain` and its like: granted by name, but the address is not."""
    needs_capsule()
    name = socket.gethostname()
    try:
        addresses = {item[4][0] for item in socket.getaddrinfo(name, None)}
    except OSError:
        pytest.skip("this machine has no name that leads to itself")
    if not all(forbidden(ip_address(one)) for one in addresses):
        pytest.skip("the name of this machine is public")
    found = fetch(tmp_path, [("web.fetch", name.lower())], "GET", f"http://{name.lower()}:{server.port}/")
    assert found.output.strip() == "403 NOT_PUBLIC"
    assert server.asked == []


def test_without_hosts_there_is_no_proxy_needs_bubblewrap(tmp_path, server):
    needs_capsule()
    found = fetch(tmp_path, [], "GET", f"http://127.0.0.1:{server.port}/")
    assert found.output.strip() == "URLError" or "Error" in found.output
    assert server.asked == []
    assert found.contract.egress == ()


def test_a_second_request_in_one_connection_is_not_sent_on(server):
    """What follows the body of a plain request would be judged by nobody."""
    lines = []
    rules = as_rules([["127.0.0.1", server.port, "fetch", False]])
    proxy = proxy_module.Proxy(rules, lines.append, proxy_module.system_addresses)
    with socket.create_server(("127.0.0.1", 0)) as own:
        threading.Thread(target=proxy.accept_from, args=(own,), daemon=True).start()
        with socket.create_connection(own.getsockname()) as client:
            one = f"GET http://127.0.0.1:{server.port}/ HTTP/1.1\r\n\r\n"
            client.sendall((one + one.replace("GET", "DELETE")).encode())
            assert client.recv(1000).startswith(b"HTTP/1.1 200")
        proxy.finish()
    assert len(server.asked) == 1
    assert b"DELETE" not in server.asked[0]
    assert read_lines(lines).problems == ()


def test_bytes_are_counted_however_a_connection_ends():
    """Who sends and resets the connection has sent."""
    lines = []
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_server(("127.0.0.1", 0)) as own:
        port = server.getsockname()[1]
        proxy = proxy_module.Proxy(
            as_rules([["127.0.0.1", port, "all", False]]), lines.append, proxy_module.system_addresses
        )
        threading.Thread(target=proxy.accept_from, args=(own,), daemon=True).start()
        client = socket.create_connection(own.getsockname())
        client.sendall(f"CONNECT 127.0.0.1:{port} HTTP/1.1\r\n\r\n".encode())
        there, _ = server.accept()
        assert client.recv(1000).startswith(b"HTTP/1.1 200")
        client.sendall(b"x" * 5000)
        got = 0
        while got < 5000:
            got += len(there.recv(10_000))
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.close()
        there.close()
        proxy.finish()
    (found,) = read_lines(lines).connections
    assert (found.sent, found.outcome) == (5000, "closed")


def test_a_proxy_that_dies_leaves_a_record_that_is_not_whole_needs_bubblewrap(tmp_path, server, monkeypatch):
    needs_capsule()
    from remit.capsule import outlet

    monkeypatch.setattr(outlet, "_PROXY", tmp_path / "no-such-program.py")
    found = fetch(tmp_path, [("web.fetch", f"127.0.0.1:{server.port}")], "GET", f"http://127.0.0.1:{server.port}/")
    assert "hello" not in found.output
    assert found.ran.egress.problems
