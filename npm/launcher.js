#!/usr/bin/env node
// Runs the program of the same name from the package for this platform, which npm installs with
// this one: same arguments, streams and exit status.
"use strict";

const path = require("path");
const { spawn } = require("child_process");

const program = path.basename(process.argv[1], ".js");
const platform = `@whence/${process.platform}-${process.arch}`;

let file;
try {
  file = require.resolve(`${platform}/bin/${program}${process.platform === "win32" ? ".exe" : ""}`);
} catch {
  console.error(`${program}: npm has not installed ${platform}, the programs for this platform. ` +
    "Install again without --omit=optional; if there is no such package, build from source.");
  process.exit(4);
}

// A terminal sends its signals to the program too; other senders only to this process. Handlers come
// first, so that none ends this process while the program starts.
let child;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => child.kill(signal));
}
child = spawn(file, process.argv.slice(2), { stdio: "inherit" });
child.on("error", (err) => {
  console.error(`${program}: ${err.message}`);
  process.exit(4);
});
child.on("exit", (status, signal) => {
  if (signal === null) {
    process.exit(status);
  }
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
