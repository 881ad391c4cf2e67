"""All models, each as a test: no invariant fails, nothing is vacuous, and states and transitions are those recorded.

Only `make mutate` runs this file: the models with their mutants are tested by tests/models/explore.
"""

import pytest

from remit.models.explore.gates import check_model, read_expected
from remit.models.explore.registry import MODELS, models


@pytest.mark.parametrize("name", MODELS)
def test_model(name):
    (model,) = models([name])
    faults = check_model(model._replace(mutants=()), read_expected()).faults
    assert not [one for one in faults if not one.startswith("no mutant is noticed")]
