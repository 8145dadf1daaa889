// Loaded into each service process: writes what is left after a full collection, every few seconds, one line each.
const { appendFileSync } = require('node:fs');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

const INTERVAL_MS = 10_000;
const file = `${process.env.SOAK_MEMORY_FOLDER}/${process.pid}.jsonl`;
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

setInterval(() => {
  collect();
  const { rss, heapUsed, external } = process.memoryUsage();
  appendFileSync(file, `${JSON.stringify({ at: Date.now(), rss, kept: heapUsed + external })}\n`);
}, INTERVAL_MS).unref();
