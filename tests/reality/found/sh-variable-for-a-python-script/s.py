import os

os.remove(os.environ["Q"])
