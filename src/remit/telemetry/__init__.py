"""Who hears what processes tell: spans go to a collector (OTLP), figures to whoever scrapes (Prometheus), events into lines of JSON.

- settings: the one file that switches it on
- starting: what a process does with it when it begins
- hearing: the listener of `core/telemetry.py`
- forms, scrubbing: what may be told, and what is taken out of words for people
- shipping: a bounded queue and a thread: nothing waits for whoever takes it
- spans, posting: to a collector
- figures, scraping: for Prometheus
- lines: for people
"""
