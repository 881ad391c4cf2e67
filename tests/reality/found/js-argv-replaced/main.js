process.argv[2] = "victim.txt";
require("./s.js");
