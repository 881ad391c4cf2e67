"""What is shipped: every file that belongs there, and no other."""

import json
import tarfile
import zipfile

from releases import committed, core_packages

from remit.cli.arguments import parser
from remit.cli.command_tree import command_tree
from remit.cli.completion import script
from remit.cli.manual import manual_page
from remit.version import VERSION

DATA = f"remit-{VERSION}.data/data/share/"
OTHERS = {
    f"{DATA}bash-completion/completions/remit",
    f"{DATA}fish/vendor_completions.d/remit.fish",
    f"{DATA}man/man1/remit.1",
    f"{DATA}zsh/site-functions/_remit",
    *(
        f"remit-{VERSION}.dist-info/{name}"
        for name in ("METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE")
    ),
}


def test_the_wheel_holds_the_committed_package_and_nothing_else(wheel):
    package = {name.removeprefix("src/") for name in committed("src/remit")}
    skill = {f"{DATA}remit/{name}" for name in committed("skills/remit")}
    rules = {f"{DATA}remit/{name.removeprefix('docs/')}" for name in committed("docs/rules")}
    assert any(name.endswith(".tla") for name in package)
    assert any(name.endswith(".html") for name in package)
    with zipfile.ZipFile(wheel) as archive:
        assert set(archive.namelist()) == package | skill | rules | OTHERS


def test_the_sdist_holds_the_commit_and_nothing_else(release):
    with tarfile.open(release / f"remit-{VERSION}.tar.gz") as archive:
        found = {name.partition("/")[2] for name in archive.getnames()}
    assert found == committed() | {"PKG-INFO"}


def test_the_manual_and_the_completions_are_those_of_the_parser(wheel):
    with zipfile.ZipFile(wheel) as archive:
        assert archive.read(f"{DATA}man/man1/remit.1").decode() == manual_page(command_tree(parser()))
        assert archive.read(f"{DATA}bash-completion/completions/remit").decode() == script("bash")


def test_the_bill_of_materials_tells_the_core_from_the_extras(release):
    document = json.loads((release / f"remit-{VERSION}.cdx.json").read_text("utf-8"))
    required = {one["name"] for one in document["components"] if one["scope"] == "required"}
    assert required == core_packages()
    assert {"cryptography", "starlette", "z3-solver"} <= {one["name"] for one in document["components"]} - required
    assert "serialNumber" not in document
    assert "timestamp" not in document["metadata"]
    assert all(one["purl"] and one["externalReferences"][0]["hashes"] for one in document["components"])
