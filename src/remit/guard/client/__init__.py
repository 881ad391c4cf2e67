"""The hook client: asks the daemon and exits, with status 2 whenever there is no valid answer."""
