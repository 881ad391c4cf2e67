import urllib.request
from pathlib import Path

urllib.request.urlopen("https://tea.example/collect", data=Path("teas.csv").read_bytes())
