"""What every test shares: no deadlines (machines are noisy) and one width of the terminal."""

import os

from hypothesis import settings

settings.register_profile("remit", deadline=None)
settings.load_profile("remit")
os.environ["COLUMNS"] = "80"
