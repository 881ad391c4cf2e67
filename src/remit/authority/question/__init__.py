"""From a request to what each policy server is asked, and from both answers to what is in which list.

- spoken: what a request says in the slots that policies speak of, and the facts that follow from it
- layout: what gateway and executor know of the servers' tables, and the shape of a question
- asking: the two questions of a request; they follow from request, secrets and key, so that they can be made again
- answering: one server's answer, and the rows that both answers are together
"""
