import os
import sys

os.remove(sys.argv[1])
