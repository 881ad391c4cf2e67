here=$(dirname "$0")
python3 "$here/s.py" victim.txt
