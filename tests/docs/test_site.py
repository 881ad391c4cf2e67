"""The site of docs/: it builds without a warning, every page is in its navigation, and nothing of it comes from elsewhere."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from walks import ROOT

CONFIG = tomllib.loads((ROOT / "zensical.toml").read_text("utf-8"))["project"]
REQUEST = re.compile(
    r"<(?:script|img|iframe|link)\b[^>]*\b(?:src|href)=\"?(?:https?:)?//[^>]*>|@import\s+url\(|url\(\"?https?:"
)


def paths(nav):
    for entry in nav:
        match entry:
            case str():
                yield entry
            case dict():
                for value in entry.values():
                    yield from paths(value if isinstance(value, list) else [value])


def build(folder):
    program = Path(sys.executable).with_name("zensical")
    return subprocess.run(
        [program, "build", "--strict"], cwd=folder, capture_output=True, text=True, timeout=300, check=False
    )


@pytest.fixture
def copy(tmp_path):
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    shutil.copy(ROOT / "zensical.toml", tmp_path)
    return tmp_path


def test_every_page_is_in_the_navigation_once():
    pages = sorted(str(page.relative_to(ROOT / "docs")) for page in (ROOT / "docs").rglob("*.md"))
    assert sorted(paths(CONFIG["nav"])) == pages, "list it in zensical.toml"


def test_the_site_is_built_and_asks_nobody_else(copy):
    done = build(copy)
    assert done.returncode == 0, done.stdout[-3000:]
    site = copy / "site"
    assert (site / "tutorials/author.html").exists()
    for file in [*site.rglob("*.html"), *site.rglob("*.css")]:
        text = re.sub(r'<link rel="?canonical"?[^>]*>', "", file.read_text("utf-8"))
        assert not REQUEST.search(text), (file.name, REQUEST.search(text)[0])


def test_a_broken_link_is_refused(tmp_path):
    """In a site of one page, with our settings."""
    settings = (ROOT / "zensical.toml").read_text("utf-8")
    small = re.sub(r"^nav = \[\n.*?^\]\n", 'nav = ["index.md"]\n', settings, flags=re.DOTALL | re.MULTILINE)
    (tmp_path / "zensical.toml").write_text(small)
    (tmp_path / "docs").mkdir()
    page = tmp_path / "docs/index.md"
    page.write_text("# A page\n\n[here](index.md)\n")
    assert build(tmp_path).returncode == 0
    page.write_text("# A page\n\n[nowhere](nothing.md)\n")
    assert build(tmp_path).returncode != 0
