"""Installation of skills into the folders of agent hosts: adding, replacing, removing, and records of what is
installed.
"""
