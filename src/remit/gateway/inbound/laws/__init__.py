"""What must hold of what the gateway keeps and does: each law once, as a plain predicate over the gateway's own values.

Models (`remit.models.explore`) look at these in every state that can be reached; the monitor (`monitor.py`) looks at them while the gateway
runs. A law about a change is given what stood there before an operation, and after it.

- law: what a law is, and what breaks one
- people, answers, work, events, devices, tools: the laws, by what they are about
- judging: all that can be seen of one operation
"""
