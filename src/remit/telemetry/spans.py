"""Spans in OTLP: protocol buffers over HTTP."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.util.instrumentation import InstrumentationScope
from opentelemetry.trace import Link, SpanContext, SpanKind, Status, StatusCode, TraceFlags

from remit.core.telemetry_table import told
from remit.version import VERSION

if TYPE_CHECKING:
    from remit.core.telemetry import Home
    from remit.telemetry.collector_client import Collector
    from remit.telemetry.listener import FinishedSpan

_KINDS = {"server": SpanKind.SERVER, "client": SpanKind.CLIENT, "internal": SpanKind.INTERNAL}
_SCOPE = InstrumentationScope("remit", VERSION)
_FAILED, _FINE = Status(StatusCode.ERROR), Status(StatusCode.UNSET)
_SAMPLED = TraceFlags(TraceFlags.SAMPLED)
PREFIX = "remit."  # of all attribute names


def to_collector(collector: Collector, process: str) -> Callable[[list[FinishedSpan]], None]:
    """Return a function that sends a batch.

    The resource names only Remit and the process, nothing of the environment.
    """
    resource = Resource({"service.name": f"remit-{process}", "service.namespace": "remit", "service.version": VERSION})

    def send(batch: list[FinishedSpan]) -> None:
        collector.post(encode_spans([_readable(one, resource) for one in batch]).SerializeToString())

    return send


def _readable(span: FinishedSpan, resource: Resource) -> ReadableSpan:
    return ReadableSpan(
        span.name,
        _context(span.home),
        _context(span.home._replace(span=span.parent)) if span.parent else None,
        resource,
        {f"{PREFIX}{name}": value for name, value in span.attributes.items()},
        links=(Link(_context(span.linked)),) if span.linked else (),
        kind=_KINDS[told().spans[span.name].kind],
        status=_FAILED if span.failed else _FINE,
        start_time=span.begun,
        end_time=span.ended,
        instrumentation_scope=_SCOPE,
    )


def _context(home: Home) -> SpanContext:
    return SpanContext(int(home.trace, 16), int(home.span, 16), is_remote=False, trace_flags=_SAMPLED)
