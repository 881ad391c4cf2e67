const fs = require("fs");
const name = "K" + process.argv.length;
process.env[name] = "a.tmp";
fs.unlinkSync(process.env.K2);
