"""What the parties say to one another, each value with one spelling.

- request: who asks for what, in canonical form
- opening: what binds a request without showing it: commitment, and the secret that opens it
- action: the name of an action, which says when it began
- outputs: the decision: its bits, and shares of them
- carried: values of handles on their way to the executor
- proof: a policy server's signed word that a request was decided
"""
