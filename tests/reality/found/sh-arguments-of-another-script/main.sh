here=$(dirname "$0")
bash "$here/s.sh" "$(basename zz/victim.txt.q .q)"
