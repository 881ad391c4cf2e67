"""What thinks, and what it may do meanwhile.

- talk: a conversation
- hearing: an event in the words in which an agent hears it
- tools: the tools, as a model is shown them (data/calls.table)
- dialects: what endpoints of models are sent, and what they answer
- thinking: asks an endpoint
- turn: from an event to an answer; every call of a tool is judged when it runs
- doing: how tools are carried out
"""
