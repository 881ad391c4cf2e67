"""Laws: properties of what the gateway stores and does, each defined once as a predicate over the gateway's own values.

Models (`remit.models.explore`) check them in every reachable state; the monitor (`monitor.py`) checks them while the
gateway runs. A law about a change gets the values before and after an operation.

- law: a law, and a violation
- people, answers, work, events, devices, tools: the laws by subject
- checks: the violations visible in one operation
"""
