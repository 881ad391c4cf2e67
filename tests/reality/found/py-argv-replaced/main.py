import sys

import s

sys.argv = ["x", "victim.txt"]
s.main()
