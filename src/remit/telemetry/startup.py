"""Start of telemetry in a process. Its packages are imported only if it is switched on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from remit.core import telemetry
from remit.core.telemetry_table import told
from remit.telemetry.settings import TelemetrySettings, first_of
from remit.version import VERSION

if TYPE_CHECKING:
    from pathlib import Path

    from remit.telemetry.listener import Telemetry

_LAST = 2.0  # seconds by which the end of a process may be delayed


@contextmanager
def telling(process: str, *folders: Path) -> Iterator[None]:
    """Run a block with the telemetry of the first `telemetry.json` in the folders; UsageError if that fails."""
    settings = first_of(folders)
    if settings is None:
        yield
        return
    listener = begin(process, settings)
    telemetry.listen(listener)
    telemetry.event("STARTED", version=VERSION)
    try:
        yield
    finally:
        telemetry.event("ENDED")
        telemetry.listen(None)
        listener.close(_LAST)


def begin(process: str, settings: TelemetrySettings) -> Telemetry:
    """Return the listener of a process."""
    from remit.telemetry.listener import Telemetry  # noqa: PLC0415  imported only if telemetry is on

    listener = Telemetry(process)
    if settings.address is not None and process in told().processes:
        from remit.telemetry.metrics import Figures  # noqa: PLC0415

        host, port = settings.address
        listener.figures = Figures((host, port + told().processes[process]))
    if settings.log:
        from remit.telemetry.event_log import Lines  # noqa: PLC0415

        listener.lines = Lines(settings, process, listener.lost)
    if settings.otlp:
        from remit.telemetry.collector_client import Collector  # noqa: PLC0415
        from remit.telemetry.send_queue import Shipper  # noqa: PLC0415
        from remit.telemetry.spans import to_collector  # noqa: PLC0415

        listener.spans = Shipper("spans", to_collector(Collector(settings.otlp), process), listener.lost)
    return listener
