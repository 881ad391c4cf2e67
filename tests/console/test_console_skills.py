"""The pages of skills as requests: what is shown, what is refused, and that nothing is written without an answer to a question."""

import html
import json
import re
import time

import pytest
from console_skills import HOSTILE, hostile, shelf, signed, write
from consoling import Running, make

from remit.cli.main import main
from remit.web.console.library import ident_of
from remit.web.console.settings import ConsoleSettings


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    found = shelf(tmp_path_factory.mktemp("shelf"))
    hostile(found)
    write(found / "broken", "broken", "Cannot be read.", "Nothing.", {"a\\b.py": ""})
    return found


@pytest.fixture(scope="module")
def running(root, tmp_path_factory):
    folder = tmp_path_factory.mktemp("state")
    trust = signed(folder, root / "page-keeper")
    with Running(make(ConsoleSettings((root,), folder, folder, trust))) as found:
        known(found)
        yield found


def known(running):
    for _ in range(2400):
        if not running.console.library.progress.busy:
            return
        time.sleep(0.05)
    raise AssertionError("the look does not end")


@pytest.fixture
def at(running, root):
    """The page of a skill."""
    return lambda name: f"/skill/{ident_of(root / name)}"


def post(running, client, path, **fields):
    return client.post(path, data={"token": running.token(client), **fields})


def hidden(answer, name):
    return html.unescape(re.search(rf'name="{name}" value="([^"]*)"', answer.text)[1])


def patiently(client, path):
    """The page when what it waits for is there."""
    for _ in range(400):
        answer = client.get(path)
        if 'id="waiting"' not in answer.text:
            return answer
        time.sleep(0.05)
    raise AssertionError("no answer")


def test_every_skill_is_listed_with_its_answer_the_worst_first(client):
    text = client.get("/").text
    order = [text.index(f">{name}</a>") for name in ("broken", "invoices", "mystery", "notes", "page-keeper")]
    assert order == sorted(order)
    for words in (
        "cannot be read 1",
        "do not install 1",
        "outside of the manifest 1",
        "no concerns 4",
        "DO NOT INSTALL",
        "sends your SSH key",
    ):
        assert words in text
    assert "never uses the network" in text[text.index(">page-keeper</a>") :]


def test_the_page_of_a_skill_begins_with_the_answer_and_folds_the_rest(client, at):
    text = client.get(at("invoices")).text
    order = ["DO NOT INSTALL", "sends your SSH key ~/.ssh/id_rsa to collect.example", "talks to hosts", "Outside of remit.json", "<summary>Map", "<summary>What it can do"]  # fmt: skip
    assert [text.index(words) for words in order] == sorted(text.index(words) for words in order)
    assert "<details open" not in text
    assert re.search(
        r"helper.py:12</code></a> reads .*?</li><li><a [^>]*><code>scripts/helper.py:7</code></a> sends it", text
    )
    assert "deletes no files" in client.get(at("notes")).text


@pytest.mark.parametrize(
    ("query", "there", "gone"),
    [
        ("q=keeper", "page-keeper", "mystery"),
        ("q=WEB.POST", "invoices", "page-keeper"),
        ("q=ssh+key", "invoices", "page-keeper"),
        ("answer=block", "invoices", "notes"),
        ("answer=clear", "notes", "broken"),
        ("q=%00%ff&answer=x&page=-3", "No skill fits", "mystery"),
        ("page=99999", "mystery", "No skill fits"),
    ],
)
def test_the_list_is_filtered(client, query, there, gone):
    text = client.get(f"/skills/rows?{query}").text
    assert there in text
    assert gone not in text


def test_what_a_skill_calls_itself_is_text_everywhere(client, at):
    for path in ("/", at("hostile"), f"{at('hostile')}/source?file=scripts/a.py&line=1", f"{at('hostile')}/manifest"):
        answer = client.get(path)
        assert answer.status_code == 200
        assert HOSTILE not in answer.text
        assert "<script>alert" not in answer.text
        assert html.escape(HOSTILE) in answer.text


def test_the_map_leads_to_the_line_and_the_line_shows_the_calls(client, at):
    text = client.get(at("invoices")).text
    links = re.findall(r'<a class="node scope [^"]*" href="([^"]*)"', text)
    found = next(html.unescape(one) for one in links if "line=7" in one)
    source = client.get(client.base_url.join(found))
    assert 'aria-current="true"' in source.text
    assert "Calls that lead here" in source.text
    assert "scripts/invoice.py:9" in source.text
    assert "web.post" in source.text
    assert "sends your SSH key" in source.text


@pytest.mark.parametrize(
    "file",
    [
        "../notes/SKILL.md",
        "/etc/passwd",
        "scripts/../../notes/SKILL.md",
        "scripts",
        "",
        ".",
        "no-such.py",
        "scripts/\x00",
        "SKILL.md/",
    ],
)
def test_no_file_is_shown_but_those_that_were_looked_into(client, at, file):
    answer = client.get(f"{at('invoices')}/source", params={"file": file, "line": "1"})
    assert answer.status_code == 404


def test_a_file_that_became_a_link_is_not_followed(client, at, root, tmp_path):
    (tmp_path / "secret").write_text("a secret\n")
    script = root / "mystery" / "scripts" / "go.py"
    before = script.read_text()
    script.unlink()
    script.symlink_to(tmp_path / "secret")
    try:
        answer = client.get(f"{at('mystery')}/source?file=scripts/go.py&line=1")
        assert answer.status_code == 409
        assert "a secret" not in answer.text
    finally:
        script.unlink()
        script.write_text(before)


def test_a_skill_that_cannot_be_analysed_says_why_on_every_page(running, client, at):
    assert "cannot be read 1" in client.get("/").text
    answer = client.get(at("broken"))
    assert answer.status_code == 200
    assert "holds a backslash" in answer.text
    for tail in ("source?file=SKILL.md", "manifest"):
        answer = client.get(f"{at('broken')}/{tail}")
        assert answer.status_code == 422
        assert "holds a backslash" in answer.text
    assert post(running, client, f"{at('broken')}/check", text="{}").status_code == 422
    found = patiently(client, f"{at('broken')}/bundle")
    assert "holds</span>" not in found.text


@pytest.mark.parametrize("ident", ["0" * 16, "x", "%00"])
def test_a_skill_that_is_not_below_the_folders_is_not_there(running, client, ident):
    for tail in ("", "/source", "/manifest", "/bundle", "/update", "/state"):
        assert client.get(f"/skill/{ident}{tail}").status_code == 404
    assert post(running, client, f"/skill/{ident}/manifest", text="{}").status_code == 404


def test_the_text_in_the_editor_is_judged_and_nothing_is_written(running, client, at, root):
    before = (root / "invoices/remit.json").read_text()
    told = post(running, client, f"{at('invoices')}/check", text=before).json()
    assert "escapes" in told["verdict"]
    assert "More than" not in told["verdict"]
    wide = json.dumps({"permissions": [{"capability": "*"}]})
    told = post(running, client, f"{at('invoices')}/check", text=wide).json()
    assert "More than the file on disk permits" in told["verdict"]
    told = post(running, client, f"{at('invoices')}/check", text="{").json()
    assert "not a manifest" in told["verdict"]
    assert (root / "invoices/remit.json").read_text() == before


def test_an_entry_that_is_suggested_takes_its_escape_away(running, client, at, root):
    text = (root / "invoices/remit.json").read_text()
    verdict = post(running, client, f"{at('invoices')}/check", text=text).json()["verdict"]
    entries = [html.unescape(one) for one in re.findall(r'data-add="([^"]*)"', verdict)]
    assert {json.loads(one)["capability"] for one in entries} == {"file.read", "secret.read", "web.post"}
    for entry in entries:
        told = post(running, client, f"{at('invoices')}/check", text=text, add=entry).json()
        text = told["text"]
    assert "data-add" not in told["verdict"]
    assert "contained" in told["verdict"]


@pytest.mark.parametrize(
    "entry",
    ["{", "[]", '"x"', '{"capability": "file.read", "effect": "allow"}', "[" * 100_000, '{"capability": "no.such"}'],
)
def test_an_entry_that_is_none_is_not_added(running, client, at, entry):
    text = '{"permissions": []}'
    answer = post(running, client, f"{at('notes')}/check", text=text, add=entry)
    assert answer.status_code == 422 or "not a manifest" in answer.json()["verdict"]


def test_a_manifest_is_written_only_with_the_answer_to_its_question(running, client, at, root):
    path = f"{at('notes')}/manifest"
    text = '{"permissions": [{"capability": "file.read", "scope": "./notes.txt"}]}\n'
    asked = post(running, client, path, text=text, seen="")
    assert asked.status_code == 200
    assert "Write this manifest?" in asked.text
    assert not (root / "notes/remit.json").exists()
    sure = hidden(asked, "sure")
    other = post(running, client, path, text=text.replace("./notes.txt", "/**"), seen="", sure=sure)
    assert "Write this manifest?" in other.text  # the answer was to another question
    assert not (root / "notes/remit.json").exists()
    done = post(running, client, path, text=text, seen="", sure=sure)
    assert done.status_code == 303
    assert (root / "notes/remit.json").read_text() == text
    again = post(running, client, path, text=text, seen="", sure=sure)
    assert again.status_code == 409  # it is another file by now
    (root / "notes/remit.json").unlink()
    broken = post(running, client, path, text="{", seen="")
    assert broken.status_code == 422


def test_a_manifest_that_is_a_link_is_neither_shown_nor_replaced(running, client, at, root, tmp_path):
    (tmp_path / "elsewhere.json").write_text('{"permissions": []}')
    link = root / "notes/remit.json"
    link.symlink_to(tmp_path / "elsewhere.json")
    try:
        assert client.get(f"{at('notes')}/manifest").status_code == 409
        assert post(running, client, f"{at('notes')}/manifest", text="{}", seen="").status_code == 409
        assert link.is_symlink()
    finally:
        link.unlink()


def test_every_step_of_an_admission_is_shown_with_its_result(client, at):
    text = patiently(client, f"{at('page-keeper')}/bundle").text
    assert "declared holds" in text
    assert text.count('class="step ok"') >= 4
    assert ">declared</span>" in client.get("/?q=keeper").text  # the list knows it now
    text = patiently(client, f"{at('notes')}/bundle").text
    assert "Judged ," not in text  # at no time, where nothing was signed
    assert "failed" in text
    assert "holds</span>" not in text


def test_an_update_shows_what_it_gains_first(client, at, root):
    page = f"{at('invoices')}/update"
    assert "before/invoices" in client.get(page).text
    assert "choose a skill" not in client.get(page).text
    assert "choose a skill" in client.get(f"{at('notes')}/update").text  # nothing there is an older copy of it
    text = patiently(client, f"{page}?old={ident_of(root / 'before/invoices')}").text
    assert text.index("It gains") < text.index("Files")
    assert "collect.example:443" in text
    assert "secret.read" in text
    back = patiently(client, f"{at('before/invoices')}/update?old={ident_of(root / 'invoices')}").text
    assert "It gains" not in back
    assert client.get(f"{page}?old=lock-0").status_code == 404
    assert client.get(f"{page}?old=../../etc").status_code == 404


def test_a_skill_is_compared_with_what_was_locked(client, at, root):
    lock, text = root / "skills.lock", (root / "page-keeper/scripts/keep.py").read_text()
    locked = [str(root / name) for name in ("page-keeper", "notes", "invoices")]
    assert main(["lock", *locked, "--output", str(lock), "-q"]) == 0
    try:
        page = client.get(f"{at('page-keeper')}/update").text
        (choice,) = re.findall(r'value="(lock-\d)"', page)
        (root / "page-keeper/scripts/keep.py").write_text(text + 'import os\nos.remove("cache/old.html")\n')
        found = patiently(client, f"{at('page-keeper')}/update?old={choice}").text
        assert "It gains" in found
        assert "file.delete" in found
        assert "missing" not in found  # the others of the lock are not asked about
        lock.write_text(lock.read_text().replace("page-keeper", "page-keepeR"))
        refused = patiently(client, f"{at('page-keeper')}/update?old={choice}")
        assert refused.status_code == 422
        assert "edited by hand" in refused.text
    finally:
        (root / "page-keeper/scripts/keep.py").write_text(text)
        lock.unlink()


def test_a_skill_that_changes_is_analysed_again_when_it_is_opened(client, at, root):
    file = root / "notes/SKILL.md"
    before = client.get(f"{at('notes')}/state").json()["content"]
    text = file.read_text()
    file.write_text(text + "\nThen run `rm -rf ./old`.\n")
    try:
        client.get(at("notes"))
        for _ in range(400):
            if client.get(f"{at('notes')}/state").json()["content"] != before:
                break
            time.sleep(0.05)
        assert "file.delete" in client.get(at("notes")).text
    finally:
        file.write_text(text)
        client.get(at("notes"))


def test_a_folder_without_skills_says_so(tmp_path):
    with Running(make(ConsoleSettings((tmp_path,), tmp_path, tmp_path))) as running, running.client() as client:
        known(running)
        text = client.get("/").text
        assert "there is no SKILL.md" in text
        assert "There is no skill here yet." in text
