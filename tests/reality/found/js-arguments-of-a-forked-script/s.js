require("fs").unlinkSync(process.argv[2]);
