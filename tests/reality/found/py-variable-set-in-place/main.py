import os

os.environ |= {"Q": "a.tmp"}
os.remove(os.getenv("Q"))
