"""From a request to what each policy server is asked, and from there to its share of the decision.

- spoken: what a request says in the slots that policies speak of, and the facts that follow from it
- layout: what the asker knows of the servers' tables, and the shape of a question
- asking: the two questions of a request; they follow from request, nonce and key, so that they can be made again
- answering: one server's way from its question to its share
"""
