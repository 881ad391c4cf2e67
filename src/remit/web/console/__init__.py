"""How does a person look at all of it? The console: pages that are made here, for one person, on this machine.

- settings: where it listens, by which names, and what it shows
- serving: the console as a process
- app: the application: the gate, the pages, what is shown when something is wrong
- gate: who may ask at all; every answer leaves with the same headers
- sessions: a code from the terminal becomes a cookie
- registry: the list of all pages; each is a module of `pages/`
- page, asking: what a page is made of, and what a handler is given
- rendering: templates, with everything that comes from elsewhere escaped
- assets: our own style, scripts and icon
"""
