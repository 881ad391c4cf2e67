"""Rule 4: unknown receivers resolve by name; handles count when acquired; data has no effectful methods."""


def test_a_module_used_as_a_value_keeps_its_members(python):
    found = python("import shutil\nshutil.os.system('touch made.txt')\n")
    assert found.opaque or "shell.execute" in found.capabilities


def test_an_unknown_receiver_may_be_a_path(python):
    found = python("from pathlib import Path\nPath('a')\ndef drop(p):\n    p.unlink()\n")
    assert "file.delete" in found.capabilities


def test_an_unknown_receiver_is_not_what_cannot_exist(python):
    assert not python("def drop(p):\n    p.unlink()\n").effects


def test_a_handle_counts_when_it_is_acquired(python):
    found = python("import sys\nf = open(sys.argv[1], 'w')\nf.write('x')\nf.close()\n")
    assert found.effects == {("file.write", "<arg>")}


def test_data_has_no_effectful_methods(python):
    found = python("import json, sys\nd = json.load(sys.stdin)\nd['x'].unlink()\nd.remove(1)\n")
    assert not found.effects


def test_a_client_counts_at_construction(python):
    assert "net.connect" in python("import smtplib\nsmtplib.SMTP('mail.example.com', 25)\n").capabilities
