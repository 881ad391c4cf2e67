"""The settings of a gateway: one TOML file of a closed form, written by the operator.

- values: what they come to
- form: what may stand in the file
- reading: from the one to the other
"""
