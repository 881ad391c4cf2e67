"""Checks of skills in folders: load, analyse, compare with the manifest, report; with a cache and worker processes.

Everything that shows findings (`remit check`, the console, the editor, scans, the public API) calls this package.
"""
