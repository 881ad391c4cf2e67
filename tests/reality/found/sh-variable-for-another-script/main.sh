here=$(dirname "$0")
export Q=victim.txt
bash "$here/s.sh"
