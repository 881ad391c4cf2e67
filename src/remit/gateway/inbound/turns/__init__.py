"""What an agent does about an event.

- life: the pure step for one event that was accepted
"""
