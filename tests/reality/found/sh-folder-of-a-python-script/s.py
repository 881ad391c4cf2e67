import os

os.remove("x.txt")
