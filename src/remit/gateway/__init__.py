"""Who may speak, and through what? What an agent asks for goes through here, and nothing that proves it comes back."""
