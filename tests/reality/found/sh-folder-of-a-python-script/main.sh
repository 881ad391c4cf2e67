here=$(dirname "$0")
cd dir
python3 "$here/s.py"
