"""Settings of the inbound gateway: one TOML file with a fixed schema, written by the operator.

- values: the settings as values
- loader: the schema, and from the file to values
- writer: default settings of a new installation, and drafts to files
- openclaw: import of an openclaw.json
"""
