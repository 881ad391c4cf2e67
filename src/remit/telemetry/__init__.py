"""Telemetry of a process: spans go to a collector (OTLP), metrics are scraped (Prometheus), events become lines of
JSON.

- settings: the file that switches it on
- startup: what a process does with it when it starts
- listener: the listener of `core/telemetry.py`
- scrubbing: the values that may be sent, and scrubbing of texts
- send_queue: a bounded queue and a thread, so that the process never waits
- spans, collector_client: sending to a collector
- metrics: metrics for Prometheus
- event_log: events as lines of JSON
"""
