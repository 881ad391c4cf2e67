"""`find` answers for every skill that can be loaded, whatever its documents and scripts hold."""

from finding_cases import cases, found_in
from hypothesis import example, given
from hypothesis import strategies as st

from remit.findings.codec import decode, encode
from remit.findings.registry import rules

PIECES = sorted({text for case in cases() for text in case.files.values()})
ODD = [
    "",
    "\x00",
    "\ufeff",
    "\u202e",
    "```",
    "~~~",
    "<!--",
    "-->",
    '"',
    "---\n",
    "# ",
    "- ",
    "| a | b |\n",
    "\r\n",
    "https://",
    "`/root/",
    "=" * 30,
]
text = st.lists(st.one_of(st.sampled_from(PIECES), st.sampled_from(ODD), st.text(max_size=60)), max_size=8).map("".join)


@given(text, text, st.sampled_from(["a.py", "a.sh", "a.js", "a.json", "references/a.md", "tests/a.py", "a.png"]))
@example("", "", "a.py")
@example("<!--", "", "a.sh")
@example("YWJj" * 4000, "5b" * 4000, "a.json")
def test_random_documents(tmp_path_factory, document, script, path):
    folder = tmp_path_factory.mktemp("random") / "demo"
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    (folder / "SKILL.md").write_text(
        f"---\nname: demo\ndescription: A demo.\n---\n{document}", "utf-8", errors="replace"
    )
    (folder / path).write_text(script, "utf-8", errors="replace")
    found = found_in(folder)
    assert decode(encode(found)) == found
    lines = {
        name: (folder / name).read_bytes().count(b"\n") + (folder / name).read_bytes().count(b"\r") + 1
        for name in ("SKILL.md", path)
    }
    for item in found:
        assert item.rule in rules()
        assert all(0 <= witness.where.line <= lines[witness.where.file] for witness in item.witnesses), item
