import os
import subprocess

script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "s.sh")
subprocess.run(["bash", script, sorted(os.listdir("."))[0]])
