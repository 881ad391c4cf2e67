here=$(dirname "$0")
echo victim.txt | xargs -n1 bash "$here/s.sh"
