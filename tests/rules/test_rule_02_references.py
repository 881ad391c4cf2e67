"""Rule 2: an effectful primitive counts where it is referenced."""


def test_a_direct_call_refines_the_scope(python):
    assert python("import os\nos.remove('a.txt')\n").scopes("file.delete") == {"./a.txt"}


def test_a_callback_goes_through_the_summary(python):
    found = python("import os\nlist(map(os.remove, ['a.tmp', 'b.tmp']))\n")
    assert found.scopes("file.delete") == {"./a.tmp", "./b.tmp"}


def test_a_reference_that_is_handed_on_counts_with_any_scope(python):
    found = python("import os\nthings = {'k': [os.remove]}\nprint(things)\n")
    assert found.scopes("file.delete") == {"any"}


def test_unfolded_arguments_do_not_refine(python):
    found = python("import os, json, sys\nargs = json.load(sys.stdin)\nos.rename(*args)\n")
    assert {"file.delete", "file.write"} <= found.capabilities


def test_an_annotation_does_not_count(python):
    found = python("import subprocess\ndef f(p: subprocess.Popen) -> None:\n    pass\n")
    assert not found.effects


def test_an_exception_class_does_not_count(python):
    found = python("import subprocess\ntry:\n    pass\nexcept subprocess.CalledProcessError:\n    pass\n")
    assert not found.effects
