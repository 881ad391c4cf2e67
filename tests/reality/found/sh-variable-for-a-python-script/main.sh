here=$(dirname "$0")
Q=victim.txt python3 "$here/s.py"
