"""Checks folders: load → analyse → hold against the manifest → report, with a cache and workers.

Everything that shows what is found (`remit check`, the console, the editor, scans, the public API) calls this package.
"""
