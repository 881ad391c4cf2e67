"""The console in a real browser: opened by the printed address, used by keys alone, on a narrow screen."""

import pytest

from remit.web.console.sessions import COOKIE


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
