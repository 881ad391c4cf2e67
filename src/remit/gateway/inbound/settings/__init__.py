"""Settings of the inbound gateway: one TOML file with a fixed schema, written by the operator.

- values: the settings as values
- schema: the schema of the file
- loader, writer: from the file to values, and drafts to files
- defaults: default settings for a new installation
- openclaw, json5: import of an openclaw.json
"""
