// Runs steps of JavaScript one after another in one process: `driver.js STEPS.json STATUSES.json`, under strace; driver.py explains the marks.
// `driver.js --describe MODULE… ` prints the functions of built-in modules as JSON.
"use strict";
const fs = require("fs");
const path = require("path");
const { openSync, closeSync, readFileSync, writeFileSync, cpSync, rmSync, readdirSync, lstatSync } = fs;
const real = { openSync, closeSync, readFileSync, writeFileSync, cpSync, rmSync, readdirSync, lstatSync };
const wait = setTimeout;
const chdir = process.chdir.bind(process);
const end = process.exit.bind(process);

function mark(what) {
  try { real.closeSync(real.openSync("/probe-step/" + what)); } catch { /* it is never there */ }
}

function state(folder) {
  return real.readdirSync(folder).map((name) => {
    const info = real.lstatSync(path.join(folder, name));
    return [name, info.ino, info.mode, info.isDirectory() ? 0 : info.mtimeMs].join();
  }).join("\n");
}

function putBack(batch) {
  for (const folder of [batch.work, ...batch.emptied])
    for (const name of real.readdirSync(folder)) real.rmSync(path.join(folder, name), { recursive: true, force: true });
  real.cpSync(batch.template, batch.work, { recursive: true });
}

// Until nothing of the step is under way, but not for long: a server or a timer goes on.
async function settled() {
  for (let turn = 0; turn < 20; turn++) {
    await new Promise((go) => wait(go, 5));
    if (!process.getActiveResourcesInfo().some((kind) => /^(FSReq|TCPConnect|ProcessWrap|GetAddrInfo)/.test(kind))) return;
  }
}

async function main() {
  const batch = JSON.parse(real.readFileSync(process.argv[2], "utf8"));
  const statuses = [];
  let before = "";
  process.on("uncaughtException", () => {});
  process.on("unhandledRejection", () => {});
  for (const [number, step] of batch.steps.entries()) {
    if (state(batch.work) !== before) { putBack(batch); before = state(batch.work); }
    chdir(batch.work);
    mark(number);
    mark("code");
    let status = 0;
    try { new Function("require", step.code)(require); } catch { status = 1; }
    await settled();
    mark("-");
    statuses.push(status);
    real.writeFileSync(process.argv[3], JSON.stringify(statuses));
  }
  end(0);
}

if (process.argv[2] === "--describe") {
  const found = {};
  for (const name of process.argv.slice(3)) {
    try {
      const module = require(name);
      found[name] = {};
      for (const key of Object.keys(module))
        if (typeof module[key] === "function") found[name][key] = { count: module[key].length, made: /^class\b/.test(String(module[key])) || /^[A-Z]/.test(key) };
    } catch (error) { found[name] = String(error.message); }
  }
  console.log(JSON.stringify(found));
} else main();
