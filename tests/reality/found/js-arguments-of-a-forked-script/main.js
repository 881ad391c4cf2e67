require("child_process").fork(__dirname + "/s.js", ["victim.txt"]);
