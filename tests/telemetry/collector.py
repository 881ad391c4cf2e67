"""A collector on loopback that takes OTLP over HTTP and keeps the spans."""

import contextlib
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest


class Span(NamedTuple):
    service: str
    name: str
    trace: str
    id: str
    parent: str
    links: tuple
    attributes: dict
    failed: bool


class Collector:
    def __init__(self):
        self.spans, self.paths, self.resources = [], [], []
        taking = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                taking.paths.append((self.path, self.headers["content-type"]))
                taking.spans.extend(read(body, taking.resources))
                self.send_response(200)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def wait_for(self, enough, seconds=300):
        """The spans, when there are enough of them."""
        end = time.monotonic() + seconds
        while not enough(self.spans):
            assert time.monotonic() < end, sorted({(one.service, one.name) for one in self.spans})
            time.sleep(0.05)
        return list(self.spans)

    def close(self):
        self._server.shutdown()
        self._server.server_close()


@contextlib.contextmanager
def collecting():
    collector = Collector()
    try:
        yield collector
    finally:
        collector.close()


def read(body, resources):
    """The spans in what a process sent."""
    for group in ExportTraceServiceRequest.FromString(body).resource_spans:
        known = {one.key: one.value.string_value for one in group.resource.attributes}
        resources.append(known)
        for scope in group.scope_spans:
            for one in scope.spans:
                attributes = {item.key: item.value.string_value or item.value.int_value for item in one.attributes}
                links = tuple((link.trace_id.hex(), link.span_id.hex()) for link in one.links)
                ids = one.trace_id.hex(), one.span_id.hex(), one.parent_span_id.hex()
                yield Span(known["service.name"], one.name, *ids, links, attributes, one.status.code == 2)
