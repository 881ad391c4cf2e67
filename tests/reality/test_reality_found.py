"""What the reality check found once stays predicted. Nothing is run here."""

from harness.check import a_place
from harness.found import FOUND, load
from harness.predict import Given, covered, predict

from each_row import each_row

FOLDERS = sorted(path for path in FOUND.iterdir() if path.is_dir())


@each_row("folder", FOLDERS, ids=lambda folder: folder.name)
def test_found_once_is_predicted_since(folder):
    with a_place() as place:
        program, events = load(folder, place)
        effects = predict(place)
        missing = [e for e in events if not covered(e, effects.effects, place, Given(program.args, program.env))]
        assert events
        assert not missing or effects.opaque, [
            effect.capability + " " + effect.scope.render() for effect in effects.effects
        ]


def test_there_are_some():
    assert len(FOLDERS) >= 3
