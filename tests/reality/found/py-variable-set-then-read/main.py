import os

os.environ["Q"] = "b.tmp"
os.remove(os.environ["Q"])
for key, value in os.environ.items():
    if key == "Q":
        open(value, "w").close()
