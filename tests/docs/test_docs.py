"""Documentation that is not tested is wrong after a month."""

import os
import re
import shlex
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from each_row import each_row
from remit.cli.arguments import parser

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(page for pattern in ("*.md", "docs/**/*.md", "examples/**/*.md") for page in ROOT.glob(pattern))
IDS = [str(page.relative_to(ROOT)) for page in PAGES]
README = ROOT / "README.md"
CHECK = ROOT / "docs/check.md"
CODE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)  # brackets there are no links
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
EXAMPLE = re.compile(r"(<!-- run: (remit [^\n]*) -->\n```text\n)(.*?)(```\n)", re.DOTALL)
PUBLIC_HOSTS = {
    "keepachangelog.com",
    "api.anthropic.com",
    "semver.org",  # what the changelog follows
    "data-api.ecb.europa.eu",  # the example skill
}


def remit(*words: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "COLUMNS": "100", "PYTHONIOENCODING": "utf-8", "NO_COLOR": "1"}
    command = [sys.executable, "-c", "import sys; from remit.cli import main; sys.exit(main())", *words]
    return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=300, check=False)


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@each_row("page", PAGES, ids=IDS)
def test_links_lead_somewhere(page):
    for target in LINK.findall(CODE.sub("", page.read_text("utf-8"))):
        if target.startswith("https://"):
            continue
        path, _, anchor = target.partition("#")
        found = (page.parent / path).resolve() if path else page
        assert found.exists(), f"{page.name}: {target}"
        if anchor:
            assert anchor in anchors(found), f"{page.name}: {target}"


def test_every_picture_is_shown_and_made_by_a_test():
    kept = {path.stem for path in (ROOT / "docs/pictures").iterdir()}
    shown = set(re.findall(r"pictures/([\w-]+)\.png", "".join(page.read_text("utf-8") for page in PAGES)))
    tests = "".join(path.read_text("utf-8") for path in (ROOT / "tests/console").glob("*.py"))
    made = set(re.findall(r'tab\.picture\("([\w-]+)"', tests))
    assert kept == shown == made


@each_row("page", PAGES, ids=IDS)
def test_no_machine_is_named(page):
    text = page.read_text("utf-8")
    assert not re.search(r"(?<![\w.$<~])/(?:work|home|root|Users|opt|srv|tmp)/", text)
    hosts = {host for host in re.findall(r"https://([^/\s\"`)>]+)", text) if "." in host and "{" not in host}
    made_up = {host for host in hosts if host.endswith((".example", ".x.com", "example.com", "example.org"))}
    assert hosts - made_up <= PUBLIC_HOSTS


def test_make_targets_in_the_docs_exist():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    for page in PAGES:
        for target in re.findall(r"(?:^ {4}|`)make ([a-z-]+)", page.read_text("utf-8"), re.MULTILINE):
            assert target in targets, f"{page.name}: make {target}"


def shown_commands():
    for page in PAGES:
        for line in re.findall(
            r"(?:^ {4}|`)(?:\.venv/bin/)?(remit [a-z][^`\n]*)", page.read_text("utf-8"), re.MULTILINE
        ):
            yield re.split(r" {2,}|…", line)[0].strip()


def test_commands_in_the_docs_are_understood():
    """Every `remit …` that the docs show names commands and options that its own help knows."""
    whole = parser()

    def help_of(*topic):
        with redirect_stdout(StringIO()) as told, pytest.raises(SystemExit):
            whole.parse_args([*topic, "--help"])
        return told.getvalue()

    helps: dict[tuple[str, ...], str] = {(): help_of()}
    known = set(re.findall(r"^    (\w+)", helps[()], re.MULTILINE))
    commands = sorted(set(shown_commands()))
    assert any(command.startswith("remit check") for command in commands)
    for command in commands:
        words = shlex.split(command)[1:]
        assert words[0] in known, command
        topic = (
            tuple(words[:2])
            if (
                words[0] in ("summaries", "cache", "keys", "audit", "approvals", "guard", "capsule", "gateway")
                and len(words) > 1
            )
            or words[:2] == ["scan", "report"]
            else (words[0],)
        )
        if topic not in helps:
            helps[topic] = help_of(*topic)
        assert helps[topic].startswith("usage:"), command
        for word in words:
            if word.startswith("-"):
                assert re.search(rf"(?<![\w-]){re.escape(word.split('=')[0])}\b", helps[topic]), command


def test_exit_statuses_in_the_docs_are_those_of_the_help():
    stated = dict(re.findall(r"^  (\d)  (.*)$", remit("check", "--help").stdout, re.MULTILINE))
    shown = dict(re.findall(r"^\| (\d) \| (.*?) \|$", CHECK.read_text("utf-8"), re.MULTILINE))
    assert stated.keys() == shown.keys() == {"0", "1", "2"}
    assert shown["0"] == stated["0"]
    assert shown["2"] == stated["2"]


def test_the_output_in_the_readme_is_real():
    text = README.read_text("utf-8")
    examples = EXAMPLE.findall(text)
    assert examples
    for head, command, shown, _ in examples:
        run = remit(*shlex.split(command)[1:], "--no-cache")
        assert run.returncode == (1 if "hostile" in command else 0), run.stderr
        if os.environ.get("REMIT_UPDATE_DOCS"):
            text = text.replace(head + shown, head + run.stdout)
            README.write_text(text, "utf-8")
        else:
            assert shown == run.stdout, "REMIT_UPDATE_DOCS=1 pytest tests/docs writes it anew"


def test_the_parts_of_json_in_the_docs_are_those_that_are_printed():
    import json

    report = json.loads(remit("check", "examples/sales-report", "--format", "json").stdout)
    section = CHECK.read_text("utf-8").split("## JSON")[1].split("##")[0]
    for part in report:
        assert f"`{part}`" in section, part


def test_paths_that_the_docs_name_exist():
    for page in ("docs/architecture.md", "docs/method-a.md", "CONTRIBUTING.md", "docs/reality.md"):
        text = (ROOT / page).read_text("utf-8")
        for path in re.findall(r"`((?:src|tests|docs|bench|tools|examples)/[\w./-]*\w/?)`", text):
            assert (ROOT / path).exists(), f"{page}: {path}"
    for row in re.findall(
        r"^\| \d+ [^|]*\|([^|]*)\|([^|]*)\|$", (ROOT / "docs/method-a.md").read_text("utf-8"), re.MULTILINE
    ):
        for base, cell in zip(("src/remit/analysis", "tests"), row, strict=True):
            for path in re.findall(r"`([^`]+)`", cell):
                assert (ROOT / path).exists() or (ROOT / base / path).exists(), path
