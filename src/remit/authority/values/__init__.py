"""The values that the parties exchange, each with one canonical form.

- request: who asks for what, in canonical form
- opening: what binds a request without showing it: commitment and ticket, and the secrets that open them
- action: the name of an action, which says when it began
- outputs: the decision, as its bits
- carried: values of handles on their way to the executor
- confirmation: an approver's word
- proof: a policy server's signed word of what it was asked and what it answered
"""
