import sys

sys.argv.append("victim.txt")
import s
