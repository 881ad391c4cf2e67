"""Every store."""

import pytest
from storelinks import LINKS


@pytest.fixture(params=LINKS.values(), ids=LINKS)
def links(request, tmp_path):
    with request.param(tmp_path) as link:
        yield link
