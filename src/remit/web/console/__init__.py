"""The console: pages rendered here, for one person, on this machine.

- settings: address, host names, and content
- server: the console as a process
- app: the application: gate, pages, errors, jobs and static files
- gate: checks of every request; headers of every response
- sessions: login of a browser by a code from the terminal
- registry: the list of all pages; each is a module of `pages/`
- page, request_context: the form of a page, and the data of a request
- rendering: templates with escaping
- library, logs, queue, health: data behind the pages
- work: analyses and writes, done outside of the pages
"""
