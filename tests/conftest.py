"""What every test shares: no deadlines (machines are noisy) and one width of the terminal."""

import os

from hypothesis import HealthCheck, settings

settings.register_profile("remit", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("remit")
os.environ["COLUMNS"] = "80"
