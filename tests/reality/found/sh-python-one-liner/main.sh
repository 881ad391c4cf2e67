python3 -c 'import os; os.remove("victim.txt")'
