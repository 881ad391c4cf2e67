"""What a hook runs: asks the daemon and exits, with 2 whenever there is no true answer."""
