"""The page of the web chat in Chromium: what is said is shown once, safely, over reloads, at 1400 and 400 pixels."""

import re

import pytest

from chromium_browser import VIOLATIONS


@pytest.fixture
def page(chromium, running):
    context = chromium.new_context(viewport={"width": 1400, "height": 900}, reduced_motion="reduce", locale="en-GB")
    context.set_default_timeout(60_000)
    context.add_init_script(VIOLATIONS)
    found = context.new_page()
    wrong = []
    found.on("console", lambda told: wrong.append(told.text) if told.type == "error" else None)
    found.on("pageerror", lambda error: wrong.append(str(error)))
    found.goto(f"http://127.0.0.1:{running.port}/")
    say(found, "hello")
    code = re.search(r"[A-Z0-9]{8}$", found.locator(".gateway").last.inner_text())[0]
    assert running.run("gateway", "pair", "web", code, "--unattended")[0] == 0
    yield found
    context.close()
    assert wrong == []


def say(page, words):
    """Say something, and wait for the answer."""
    before = page.locator(".gateway").count()
    page.locator("#text").fill(words)
    page.keyboard.press("Enter")
    page.wait_for_function("count => document.querySelectorAll('.gateway').length > count", arg=before)
    page.wait_for_selector("#working", state="hidden")


def lines(page):
    return page.locator(".said").all_inner_texts()


def test_what_was_said_is_there_after_a_reload(page):
    say(page, "what about `code` and\n```\n<b>a fence</b>\n```")
    shown = lines(page)
    assert page.locator(".said pre").first.inner_text() == "<b>a fence</b>"
    assert page.locator(".said b").count() == 0
    page.reload()
    page.wait_for_function("count => document.querySelectorAll('.said').length === count", arg=len(shown))
    assert lines(page) == shown


@pytest.mark.parametrize("width", [1400, 400])
def test_nothing_is_wider_than_the_window(page, width):
    page.set_viewport_size({"width": width, "height": 800})
    say(page, "a-long-word" * 40 + "\n```\n" + "x" * 500 + "\n```")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    box = page.locator("#send").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width


def test_two_windows_show_the_same(page):
    other = page.context.new_page()
    other.goto(page.url)
    other.wait_for_selector(".said")
    say(page, "roses")
    other.wait_for_function("count => document.querySelectorAll('.said').length === count", arg=len(lines(page)))
    assert lines(other) == lines(page)
