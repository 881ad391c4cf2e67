"""The last word after file name patterns is where a copy goes, and nothing else is."""

from each_row import each_row
from remit.api import check

SKILL = "---\nname: t\ndescription: Move files.\n---\nRun `x.sh`.\n"


def scopes(folder, line, capability):
    (folder / "SKILL.md").write_text(SKILL)
    (folder / "x.sh").write_text(f"{line}\n")
    report = check(folder, cache=False).to_dict()
    found = [one for one in report["effects"] if one["capability"] == capability and not one["via"].get("possible")]
    return {one["scope"] for one in found}


@each_row(
    ("line", "written"),
    [
        ("cp /var/log/auth.log* /tmp/out/", {"/tmp/out/auth.log*", "/tmp/out/auth.log\\*"}),
        ('cp "$@" /tmp/out/', {"/tmp/out/*"}),
        ('cp a* "$1/in/"', {"<arg>/in/a*", "<arg>/in/a\\*"}),
    ],
)
def test_a_copy_of_a_pattern_goes_to_the_last_word(tmp_path, line, written):
    assert scopes(tmp_path, line, "file.write") == written


def test_a_move_deletes_what_stands_before_the_last_word(tmp_path):
    assert scopes(tmp_path, "mv a* /tmp/out/", "file.delete") == {"./a*", "./a\\*"}


@each_row(
    ("line", "written"),
    [
        ("ls | xargs cp a* /tmp/out", "any"),  # xargs adds words after it
        ("cp a* b*", "./**"),  # the last of them is a file name that nobody knows
        ("cp a* -t /tmp/in b", "/tmp/in/**"),  # an option between
        ('cp a* "$(cat where)"', "any"),
    ],
)
def test_a_last_word_that_is_not_known_counts_for_nothing(tmp_path, line, written):
    assert written in scopes(tmp_path, line, "file.write")
