"""Who is asked when a call needs a person's word and the host cannot ask: nobody, rules, a person at a terminal, or a service.

A broker only writes an answer into the store, as `remit approvals` does; the call is then decided again, and finds it there. So there
is one way in which an answer admits a call, and it admits as often as the answer says. Whatever goes wrong is no answer.
"""
