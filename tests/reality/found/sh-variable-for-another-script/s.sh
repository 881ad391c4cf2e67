rm "$Q"
