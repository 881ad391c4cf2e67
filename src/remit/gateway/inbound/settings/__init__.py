"""Settings of the inbound gateway: one TOML file with a fixed schema, written by the operator.

- values: the settings as values
- form: the schema of the file
- reading, writing: from the file to values, and drafts to files
- starting: default settings for a new installation
- openclaw, json5: import of an openclaw.json
"""
