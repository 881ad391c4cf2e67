"""A hook that writes down what it is told and answers what a test wrote down. Run as `stand_in_hook.py FOLDER [EVENT]`.

FOLDER/answers.json: event or `event:tool` to {"stdout", "stderr", "exit", "sleep"}; what is not listed is answered with {}.
FOLDER/log.jsonl: every payload, with the hook's environment as far as it is the host's.
"""

import json
import os
import sys
import time

folder = sys.argv[1]
payload = json.load(sys.stdin)
with open(f"{folder}/answers.json", encoding="utf-8") as file:
    answers = json.load(file)
ours = {name: value for name, value in os.environ.items() if name.startswith("CLAUDE")}
with open(f"{folder}/log.jsonl", "a", encoding="utf-8") as log:
    told_as = (
        {"told_as": sys.argv[2]} if len(sys.argv) > 2 else {}
    )  # some hosts name the event on the command line alone
    log.write(json.dumps(payload | {"environment": ours} | told_as) + "\n")
event = sys.argv[2] if len(sys.argv) > 2 else payload.get("hook_event_name", "")
answer = answers.get(f"{event}:{payload.get('tool_name', '')}", answers.get(event, {}))
time.sleep(answer.get("sleep", 0))
sys.stderr.write(answer.get("stderr", ""))
stdout = answer.get("stdout", {})
sys.stdout.write(stdout if isinstance(stdout, str) else json.dumps(stdout))
sys.exit(answer.get("exit", 0))
