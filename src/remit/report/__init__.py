"""Output formats of reports: text, JSON, SARIF, Markdown, HTML and others."""
