"""Options that nobody wrote ask for nothing."""

import pytest
from draft_values import denied, drafted, granted, small

from each_row import each_row

BODY = "Run `bash scripts/look.sh`.\n"


def test_an_option_that_only_an_answer_could_bring_is_denied(tmp_path):
    script = 'URL=$(curl -s https://api.example.com/next)\ncurl -s "$URL"\n'
    made = drafted(small(tmp_path, BODY, scripts__look_sh=script))
    assert "web.fetch" in granted(made)
    assert "net.connect" in denied(made)
    assert "net.connect" not in granted(made)


@pytest.mark.parametrize(
    "command", ["curl -x proxy.example:80 https://a.example", "curl \\\n  -sx proxy.example:80 \\\n  https://a.example"]
)
def test_an_option_that_stands_there_counts(tmp_path, command):
    body = f"{BODY}It goes through proxy.example.\n"
    assert "net.connect" in granted(drafted(small(tmp_path, body, scripts__look_sh=command + "\n")))


def test_an_option_that_is_written_elsewhere_counts(tmp_path):
    script = 'command = ["curl", "-x", "proxy.example:80", "https://a.example"]\nimport subprocess\nsubprocess.run(command)\n'
    made = drafted(
        small(tmp_path, "Run `python scripts/look.py`, which asks proxy.example.\n", scripts__look_py=script)
    )
    assert "net.connect" in granted(made)


@each_row(
    ("script", "asked"),
    [
        ("if test -f a; then NEST=$(date); fi\necho $NEST\n", False),
        ("read -p 'Which? ' NEST\necho $NEST\n", False),
        ('NEST="${NEST:-oak}"\necho $NEST\n', True),
        ("echo $NEST\n", True),
    ],
)
def test_a_variable_that_a_script_sets_itself_is_not_asked_for(tmp_path, script, asked):
    assert ("env.read" in granted(drafted(small(tmp_path, BODY, scripts__look_sh=script)))) == asked
