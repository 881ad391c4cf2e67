"""Models in the console: what they say, what a check finds, and the stories of their mutants. No check runs in the process that serves."""

import time

import pytest

from remit.models.explore import question_states
from remit.models.explore.registry import MODELS


def until(client, path, word, seconds=300):
    """A page, when it says this."""
    end = time.monotonic() + seconds
    while word not in (text := client.get(path).text):
        assert time.monotonic() < end, text
        time.sleep(0.2)
    return text


@pytest.fixture
def checked(client, running):
    """The smallest model, checked from its page."""
    before = question_states.step
    answer = client.post("/models/approvals", data={"token": running.token(client)})
    assert answer.status_code == 303
    text = until(client, "/models/approvals", "It holds:")
    assert question_states.step is before  # whoever serves is not spoiled
    return text


def test_every_model_is_listed_with_what_it_is_known_to_have(client):
    assert "<progress" in client.get("/models").text  # nobody has listed them yet
    text = until(client, "/models", "<table")
    for name in MODELS:
        assert f"/models/{name}" in text
    assert "94,594" in text  # states of `delivery`


def test_a_check_tells_the_story_of_each_mutant(checked, client):
    assert "18 states, 40 transitions" in checked
    for words in (
        "1. answer approved-once",
        "here `once-is-once` fails",
        "does not spend an answer",
        "models.explore.question_states.step",
    ):
        assert words in checked
    text = client.get("/models").text
    assert "4 of 4 mutants noticed" in text


def test_small_models_and_stories_are_drawn_and_nothing_in_a_picture_runs(client):
    for path in ("/models/approvals/graph", "/models/approvals/graph?mutant=has no end"):
        answer = client.get(path)
        assert answer.headers["content-type"] == "image/svg+xml"
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert answer.text.startswith("<svg")


@pytest.mark.parametrize(
    "path", ["/models/nothing", "/models/approvals/graph?mutant=-o", "/models/delivery/graph", "/models/--help"]
)
def test_what_is_no_model_is_never_given_to_a_command(client, path):
    assert client.get(path).status_code == 404


def test_in_chromium_a_model_is_checked_and_its_story_read_nightly(tab):
    page = tab.page
    tab.press("g", "m")
    page.get_by_role("link", name="approvals", exact=True).click()
    page.get_by_role("button", name="Check it").click()
    page.get_by_text("It holds:").wait_for(timeout=60_000)
    tab.clean()
    page.get_by_role("link", name="its story as a picture").first.click()
    assert (
        page.locator(".mutant img").evaluate("async (image) => { await image.decode(); return image.naturalWidth; }")
        > 100
    )
    page.locator(".mutant img").scroll_into_view_if_needed()
    page.set_viewport_size({"width": 360, "height": 640})
    tab.clean()
    tab.visit("/models")
    tab.clean()
