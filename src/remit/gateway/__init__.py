"""Who may speak, and through what?"""
