"""The questions to the policy servers, and what their answers say about list membership.

- slots: the slot values of a request, and the facts that are computed from it
- layout: what gateway and executor know of the servers' tables, and the shape of a question
- questions: the two questions of a request, which can be recomputed from request, secrets and key
- answers: one server's answer, and the rows that both answers add up to
- forms: the list entries that match a value
"""
