import json

from cli_skills import run


def test_the_shipped_defaults_are_printed_and_pass_their_own_check(work, capfd):
    status, out, err = run(capfd, "defaults")
    assert (status, err) == (0, "")
    assert json.loads(out)["session_defaults"]["permissions"]
    (work / "own.json").write_text(out)
    status, out, _ = run(capfd, "defaults", "own.json")
    assert status == 0
    assert "nothing wrong" in out


def test_a_wrong_file_is_refused_with_its_place(work, capfd):
    (work / "own.json").write_text('{"session_defaults": {"permissions": [{"capability": "file.red"}]}}')
    status, out, err = run(capfd, "defaults", "own.json")
    assert (status, out) == (2, "")
    assert "own.json:1:54" in err
    assert "file.read" in err
