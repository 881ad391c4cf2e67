"""The console in a real browser: opened by the printed address, used by keys alone, on a narrow screen."""

import time

import pytest
from console_skills import HOSTILE, hostile, shelf, signed
from consoling import Running, make

from remit.web.console.library import ident_of
from remit.web.console.sessions import COOKIE
from remit.web.console.settings import ConsoleSettings

NARROW = {"width": 360, "height": 740}


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """The folder of skills, at home: pictures show no other place."""
    with pytest.MonkeyPatch.context() as patch:
        home = tmp_path_factory.mktemp("home")
        patch.setenv("HOME", str(home))
        yield shelf(home / "skills")


@pytest.fixture(scope="module")
def running(root, tmp_path_factory):
    """One console for all: tests write into skills of their own."""
    folder = tmp_path_factory.mktemp("state")
    trust = signed(folder, root / "page-keeper")
    with Running(make(ConsoleSettings((root,), folder, folder, trust))) as found:
        for _ in range(2400):
            if not found.console.library.progress.busy:
                break
            time.sleep(0.05)
        yield found


def narrow(tab):
    """The page on a phone in the dark: nothing is cut off, and nothing is found by axe."""
    tab.page.set_viewport_size(NARROW)
    tab.page.emulate_media(color_scheme="dark")
    tab.clean()
    assert tab.page.locator(".top nav").evaluate("one => one.scrollWidth <= one.clientWidth")
    tab.page.emulate_media(color_scheme="light")
    tab.page.set_viewport_size({"width": 1200, "height": 800})


def test_a_person_opens_the_printed_address_and_finds_the_keys(tab):
    page = tab.page
    assert page.title() == "Skills · Remit"
    assert page.context.cookies(tab.running.base + "/")[0]["name"] == COOKIE
    assert page.context.cookies(tab.running.url + "/") == []  # another server of this machine is not given it
    tab.press("?")
    assert page.locator("#keys").is_visible()
    tab.clean()
    tab.press("Escape")
    assert not page.locator("#keys").is_visible()
    with page.expect_navigation():
        tab.press("g", "s")
    tab.clean()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_used_code_is_refused_on_a_narrow_screen(tab, scheme):
    page = tab.page
    page.set_viewport_size({"width": 360, "height": 640})
    page.emulate_media(color_scheme=scheme)
    page.goto(f"{tab.running.url}/#used")
    page.get_by_text("it was used").wait_for()
    assert tab.wrong.pop().endswith("403 (Forbidden)")
    assert page.url == f"{tab.running.url}/"
    tab.clean()


def test_a_skill_is_found_opened_and_read_by_keys_alone(tab):
    page = tab.page
    tab.clean()
    tab.picture("console-skills")
    narrow(tab)
    tab.press("/", *"invoices")
    page.wait_for_function("() => document.querySelectorAll('tr[data-entry]').length === 2")
    tab.press("Escape", "j")
    assert page.evaluate("document.activeElement.textContent") == "invoices"
    with page.expect_navigation():
        tab.press("Enter")
    page.locator(".findings", has_text="sends your SSH key").wait_for()
    tab.clean()
    tab.picture("console-skill")
    narrow(tab)
    page.locator("summary", has_text="Map").press("Enter")
    page.locator("svg.remit-map").wait_for()
    tab.clean()
    narrow(tab)
    link = page.locator("svg.remit-map a.scope", has_text="collect.example")
    link.focus()
    with page.expect_navigation():
        tab.press("Enter")
    assert "https://collect.example/in" in page.locator(".code li.here code").inner_text()
    assert page.locator(".code li.here").evaluate("one => one.getBoundingClientRect().top < innerHeight")
    tab.clean()
    tab.picture("console-source")
    narrow(tab)
    with page.expect_navigation():
        page.locator(".calls a").first.press("Enter")
    assert page.locator(".code li.here").count() == 1


def test_a_manifest_is_judged_while_one_types_and_written_after_a_question(tab, root):
    page = tab.page
    tab.visit(f"/skill/{ident_of(root / 'invoices')}/manifest")
    tab.clean()
    tab.picture("console-manifest")
    tab.visit("/")
    page.get_by_role("link", name="notes", exact=True).click()
    page.get_by_role("link", name="Manifest").click()
    assert page.locator("#verdict .tag").inner_text() == "escapes"
    tab.clean()
    page.locator("#text").fill('{"permissions": [')
    page.locator("#verdict", has_text="not a manifest").wait_for()
    page.locator("#text").fill('{"permissions": []}')
    page.locator("#verdict [data-add]").first.wait_for()
    while page.locator("#verdict [data-add]").count():
        before = page.locator("#text").input_value()
        page.locator("#verdict [data-add]").first.press("Enter")
        page.wait_for_function("(before) => document.getElementById('text').value !== before", arg=before)
    page.locator("#verdict .tag.good").wait_for()
    narrow(tab)
    page.locator("#text").focus()
    with page.expect_navigation():
        tab.press("Control+s")
    tab.clean()
    assert "permits more than now" in page.locator("main").inner_text()
    assert not (root / "notes/remit.json").exists()
    with page.expect_navigation():
        page.get_by_role("button", name="Write it").press("Enter")
    page.get_by_text("Saved.").wait_for()
    assert '"file.read"' in (root / "notes/remit.json").read_text()


def test_a_bundle_and_an_update_are_shown_when_they_are_known_nightly(tab):
    page = tab.page
    page.get_by_role("link", name="page-keeper", exact=True).click()
    page.get_by_role("link", name="Bundle").click()
    page.locator("h1", has_text="declared holds").wait_for()
    tab.clean()
    tab.picture("console-bundle")
    narrow(tab)
    tab.visit("/?q=invoices")
    page.locator("tr[data-entry] a").first.click()
    page.get_by_role("link", name="Update").click()
    page.get_by_label("What changed since").select_option("before/invoices")
    page.get_by_role("button", name="Compare").press("Enter")
    page.get_by_role("heading", name="It gains").wait_for()
    tab.clean()
    tab.picture("console-update")
    narrow(tab)


def test_a_new_skill_is_found_and_nothing_of_a_hostile_one_runs_in_the_page(tab, root):
    page = tab.page
    page.on("dialog", lambda dialog: tab.wrong.append(f"dialog: {dialog.message}"))
    hostile(root)
    page.get_by_role("button", name="Look again").press("Enter")
    page.get_by_role("link", name=HOSTILE).click()
    page.locator("summary", has_text="Map").click()
    page.locator("svg.remit-map a.scope").first.click()
    page.locator(".code").wait_for()
    assert page.locator("img:not(.brand img)").count() == 0


def test_a_page_says_when_the_console_is_gone_and_when_nobody_is_let_in_any_more_nightly(tab):
    page = tab.page
    lost = page.locator("#lost")
    page.route("**/state", lambda route: route.abort())
    tab.visit(f"/skill/{next(iter(tab.running.console.library.skills())).ident}")
    lost.wait_for()
    assert "does not answer" in lost.inner_text()
    tab.clean()
    page.unroute("**/state")
    lost.wait_for(state="hidden")
    tab.wrong = [one for one in tab.wrong if "ERR_FAILED" not in one]
    tab.running.console.sessions.leave(page.context.cookies(tab.running.base)[0]["value"])
    lost.wait_for()
    assert "no longer admitted" in lost.inner_text()
    tab.visit("/")
    assert "this browser was not let in" in page.locator("main").inner_text()
    tab.clean()
    tab.wrong = [one for one in tab.wrong if "401" not in one]
