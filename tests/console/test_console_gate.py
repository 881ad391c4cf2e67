"""Who may ask the console: nobody without a code from the terminal, by another name, or from another site."""

import re

import httpx
import pytest
from consoling import Running, make

from each_row import each_row
from remit.core.errors import UsageError
from remit.web.console.gate import HEADERS
from remit.web.console.registry import PAGES, SECTIONS
from remit.web.console.sessions import COOKIE, IDLE, Sessions
from remit.web.console.settings import ConsoleSettings, Tls, checked


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    """One for all: what is refused leaves nothing behind."""
    folder = tmp_path_factory.mktemp("gate")
    with Running(make(ConsoleSettings((folder,), folder, folder))) as found:
        yield found


def test_a_code_lets_one_browser_in_once(running):
    code = running.code()
    with httpx.Client(headers={"origin": running.url}) as client:
        first = client.post(f"{running.url}/enter", data={"code": code})
        again = client.post(f"{running.url}/enter", data={"code": code})
    assert (first.status_code, again.status_code) == (200, 403)
    cookie = first.headers["set-cookie"].lower()
    assert all(
        part in cookie for part in ("httponly", "samesite=strict", f"path={running.console.sessions.base.lower()}")
    )
    assert COOKIE not in again.headers.get("set-cookie", "")


def test_without_scripts_the_code_is_given_by_hand(running):
    headers = {"origin": running.url, "accept": "text/html"}
    answer = httpx.post(f"{running.url}/enter", data={"code": running.code()}, headers=headers)
    assert answer.status_code == 303
    assert answer.headers["location"] == f"{running.console.sessions.base}/"
    assert COOKIE in answer.headers["set-cookie"]


def test_the_code_that_is_told_next_lets_the_next_browser_in():
    told = []
    sessions = Sessions(told.append)
    sessions.new_code()
    assert sessions.enter(told[0])
    assert len(told) == 2
    assert sessions.enter(told[1])
    assert sessions.enter(told[0]) is None


@each_row("code", ["", "wrong", "ö", "x" * 10_000])
def test_a_wrong_code_lets_nobody_in(running, code):
    answer = httpx.post(f"{running.url}/enter", data={"code": code}, headers={"origin": running.url})
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers


def test_no_code_lets_anybody_in_before_one_was_made():
    assert Sessions().enter("") is None


def test_a_session_ends_when_nobody_sits_there_any_more():
    now = [0.0]
    sessions = Sessions(clock=lambda: now[0])
    cookie = sessions.enter(sessions.new_code())
    now[0] += IDLE
    assert sessions.of(cookie)
    now[0] += IDLE + 1
    assert sessions.of(cookie) is None
    assert sessions.of("") is None


def test_the_twenty_first_browser_ends_the_one_that_was_quiet_for_longest():
    now = [0.0]
    sessions = Sessions(clock=lambda: now[0])
    cookies = []
    for _ in range(21):
        now[0] += 1
        cookies.append(sessions.enter(sessions.new_code()))
    assert sessions.of(cookies[0]) is None
    assert all(map(sessions.of, cookies[1:]))


@each_row("page", PAGES, ids=lambda one: one.path)
def test_no_page_is_shown_without_a_cookie(running, page):
    path = running.base + re.sub(r"\{[^}]*\}", "x", page.path)
    for cookie in ("", "wrong"):
        asked = {"cookies": {COOKIE: cookie}, "headers": {"origin": running.url}}
        assert httpx.get(path, **asked).status_code == 401
        assert httpx.post(path, data={"token": "x"}, **asked).status_code == 401


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.evil.example:1", "127.0.0.2", ""]
)
def test_another_name_that_leads_here_is_refused(running, client, host):
    for url in (running.url + "/", running.base + "/", running.url + "/static/console.css"):
        assert client.get(url, headers={"host": host}).status_code == 421


@pytest.mark.parametrize("host", ["localhost:9999", "127.0.0.1", "[::1]:80", "LOCALHOST"])
def test_every_name_of_this_machine_is_ours_at_any_port(client, host):
    assert client.get("/", headers={"host": host}).status_code == 200


def test_a_header_that_stands_twice_is_refused(running):
    headers = [("host", "localhost"), ("origin", running.url), ("origin", "http://evil.example")]
    assert httpx.post(f"{running.url}/enter", data={"code": running.code()}, headers=headers).status_code == 400


@each_row("origin", ["http://evil.example", "null", "http://127.0.0.1", "https://127.0.0.1", ""])
def test_nobody_else_s_page_sends_something(running, origin):
    sent = {"code": running.code()}
    assert httpx.post(f"{running.url}/enter", data=sent, headers={"origin": origin}).status_code == 403


def test_what_does_not_say_where_it_comes_from_is_refused(running):
    sent = {"code": running.code()}
    assert httpx.post(f"{running.url}/enter", data=sent).status_code == 403
    assert httpx.post(f"{running.url}/enter", data=sent, headers={"sec-fetch-site": "same-origin"}).status_code == 200


@pytest.mark.parametrize("site", ["same-site", "cross-site", "anything"])
def test_another_site_may_link_here_and_no_more(client, site):
    mode = {"sec-fetch-site": site, "sec-fetch-mode": "navigate"}
    assert client.get("/", headers={**mode, "sec-fetch-dest": "document"}).status_code == 200
    assert client.get("/", headers={**mode, "sec-fetch-dest": "iframe"}).status_code == 403
    assert client.get("/", headers={"sec-fetch-site": site, "sec-fetch-mode": "no-cors"}).status_code == 403
    assert client.post("/", headers={**mode, "sec-fetch-dest": "document"}).status_code == 403


@pytest.mark.parametrize("page", [one for one in PAGES if one.take], ids=lambda one: one.path)
def test_what_is_sent_without_the_token_of_the_session_is_refused(running, client, page):
    path = re.sub(r"\{[^}]*\}", "x", page.path)
    with running.client() as other:
        for token in ({"other": "x"}, {"token": "wrong"}, {"token": running.token(other)}):
            assert client.post(path, data=token).status_code == 403
    json = client.post(path, json={"token": running.token(client)})
    assert json.status_code == 415
    twice = f"token=x&token={running.token(client)}"
    kind = {"content-type": "application/x-www-form-urlencoded"}
    assert client.post(path, content=twice, headers=kind).status_code == 400


def test_every_answer_has_the_same_headers(running, client):
    asked = ("/", "/no-such-page", "/static/console.css", "/static/none", "/../x")
    for answer in (
        *(client.get(running.url + path) for path in asked),
        client.get("/"),
        client.get("/no-such-page"),
        client.delete("/"),
        client.get("/", headers={"host": "evil.example"}),
    ):
        for name, value in HEADERS.items():
            assert answer.headers.get_list(name) == [value]
    assert client.get("/").headers["cache-control"] == "no-store"


def test_a_fault_of_ours_is_said_without_its_cause_and_with_the_same_headers(running, client, monkeypatch):
    def broken(*_):
        raise ValueError("a secret")

    monkeypatch.setattr(running.console.assets, "link", broken)
    answer = client.get("/", headers={"accept": "application/json"})
    assert answer.status_code == 500
    assert "a secret" not in answer.text
    assert answer.headers["content-security-policy"] == HEADERS["content-security-policy"]


def test_a_page_that_is_not_there_says_so(client):
    answer = client.get("/no-such-page")
    assert answer.status_code == 404
    assert "there is no such page" in answer.text
    told = client.get("/no-such-page", headers={"accept": "application/json"})
    assert told.json()["message"] == "there is no such page"


@each_row("path", ["/static/..%2fapp.py", "/static/%2e%2e/app.py", "/static/layout.html", "/static/"])
def test_nothing_but_our_own_files_is_given_out(running, path):
    assert httpx.get(running.url + path).status_code == 404


@each_row("address", ["10.0.0.5", "0.0.0.0", "::", "2001:db8::1"])
def test_an_address_that_others_reach_needs_tls_or_a_word(tmp_path, address):
    settings = ConsoleSettings((), tmp_path, tmp_path, address=address, names=("box",))
    with pytest.raises(UsageError, match="reachable from other machines") as caught:
        checked(settings)
    assert "--without-tls" in caught.value.remedy
    assert checked(settings._replace(without_tls=True))
    assert checked(settings._replace(tls=Tls(tmp_path, tmp_path))).scheme == "https"


def test_every_address_needs_a_name(tmp_path):
    with pytest.raises(UsageError, match="no name"):
        checked(ConsoleSettings((), tmp_path, tmp_path, address="0.0.0.0", without_tls=True))
    with pytest.raises(UsageError, match="is no address"):
        checked(ConsoleSettings((), tmp_path, tmp_path, address="example.org"))
    assert "box" in ConsoleSettings((), tmp_path, tmp_path, address="10.0.0.5", names=("BOX",)).hosts


def test_every_page_belongs_to_the_menu_and_every_entry_to_a_page():
    paths = [page.path for page in PAGES]
    assert len(set(paths)) == len(paths)
    assert {page.section for page in PAGES} == {one.name for one in SECTIONS}
    assert {one.path for one in SECTIONS} <= set(paths)
    assert len({one.key for one in SECTIONS}) == len(SECTIONS)
    assert all(page.show or page.take for page in PAGES)
