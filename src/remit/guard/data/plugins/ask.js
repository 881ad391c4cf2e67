// Asks Remit's daemon. Put before the part of one host at installation, with the settings filled in; it needs nothing but Node or Bun.
// Whatever is not a whole answer of the protocol is an error, and whoever calls must refuse then.
import { spawn } from "node:child_process";
import fs from "node:fs";
import net from "node:net";

const SETTINGS = "REMIT_SETTINGS"; // {client, folder, seconds, version}
const LARGEST = 16 * 1024 * 1024;
const ANSWER = /^remit1 ([02]) (0|[1-9][0-9]{0,7}) (0|[1-9][0-9]{0,7})\n/;
const KNOWN = new Set(["deny", "ask", "args", "note"]);

// The answer to one event: an object with some of KNOWN; an error if there is none or the daemon refuses.
async function ask(host, event, payload) {
  const text = Buffer.from(JSON.stringify(payload));
  if (text.length > LARGEST) throw new Error("remit: denied: the call is too large");
  const { status, stdout, stderr } = (await overSocket(host, event, text)) ?? (await byClient(event, text));
  if (status !== 0) throw new Error(stderr.trim() || "remit: denied");
  const answer = stdout === "" ? {} : JSON.parse(stdout);
  if (answer === null || typeof answer !== "object" || !Object.keys(answer).every((key) => KNOWN.has(key)))
    throw new Error("remit: denied: the answer is not of the protocol");
  return answer;
}

// A path of the state folder is what it should be and nobody else can use it; false if there is none.
function ours(path, isKind) {
  const found = fs.lstatSync(path, { throwIfNoEntry: false });
  if (!found) return false;
  if (!isKind(found) || found.uid !== process.geteuid() || found.mode & 0o077)
    throw new Error(`remit: denied: ${path} is not ours alone`);
  return true;
}

// Nothing if the daemon is down or of another version: the client then starts one.
function overSocket(host, event, text) {
  const path = `${SETTINGS.folder}/guard.sock`;
  if (!ours(SETTINGS.folder, (found) => found.isDirectory()) || !ours(path, (found) => found.isSocket())) return undefined;
  return new Promise((resolve, reject) => {
    const parts = [];
    const link = net.connect(path);
    const late = setTimeout(() => {
      reject(new Error("remit: denied: no answer in time"));
      link.destroy();
    }, SETTINGS.seconds * 1000);
    const done = (settle, value) => {
      clearTimeout(late);
      link.destroy();
      settle(value);
    };
    link.on("connect", () => {
      link.write(`remit1 ${host} ${event} ${text.length} ${SETTINGS.version}\n`);
      link.write(text);
    });
    link.on("data", (part) => parts.push(part));
    link.on("error", (error) =>
      ["ENOENT", "ECONNREFUSED"].includes(error.code) && parts.length === 0 ? done(resolve, undefined) : done(reject, error),
    );
    link.on("close", () => {
      try {
        done(resolve, read(Buffer.concat(parts)));
      } catch (error) {
        done(reject, error);
      }
    });
  });
}

function read(data) {
  const head = data.subarray(0, 256).toString("latin1");
  if (/^remit1 version [A-Za-z0-9._-]+\n$/.test(head)) return undefined;
  const match = ANSWER.exec(head);
  if (!match) throw new Error("remit: denied: the answer is not of the protocol");
  const [start, out, err] = [match[0].length, Number(match[2]), Number(match[3])];
  if (data.length !== start + out + err) throw new Error("remit: denied: the answer is cut short");
  const body = data.subarray(start);
  return { status: Number(match[1]), stdout: body.subarray(0, out).toString(), stderr: body.subarray(out).toString() };
}

// The client has a deadline of its own, and denies by exit status 2; any other end of it is a denial as well.
function byClient(event, text) {
  return new Promise((resolve, reject) => {
    const [program, ...words] = SETTINGS.client.map((word) => (word === "EVENT" ? event : word));
    const child = spawn(program, words, { stdio: ["pipe", "pipe", "pipe"], timeout: (SETTINGS.seconds + 5) * 1000 });
    const out = [];
    const err = [];
    child.stdout.on("data", (part) => out.push(part));
    child.stderr.on("data", (part) => err.push(part));
    child.stdin.on("error", () => {}); // it may have answered before it read everything
    child.on("error", reject);
    child.on("close", (status) =>
      resolve({ status: status ?? 2, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() }),
    );
    child.stdin.end(text);
  });
}

