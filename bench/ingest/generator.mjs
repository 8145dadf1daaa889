// The load generator, a process of its own that costs as little CPU as it can: requests are written once as bytes,
// only ids are filled in, and sockets are used directly, one request at a time on each.
// Options come as one JSON argument; one line of JSON per second and one with the result go to stdout.
import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';
import {
  MESSAGE_ID_LENGTH,
  messageIdOf,
  sampleEvent,
  USER_ID_LENGTH,
  USERS,
  userIdOf,
} from './sample-event.mjs';

const options = JSON.parse(process.argv[2]);
const { port, writeKey, batchSize, connections, warmupMs, durationMs, run, requestsPerSecond } = options;
/** `stamped`: each event says in `properties.sentAtMs` when it was sent. */
const { stamped = false } = options;
/** How many people the events are spread over. */
const { users = USERS } = options;
/** Stands for 13 digits: milliseconds since 1970. */
const TIME_MARK = 1_111_111_111_111;

const template = buildTemplate();
const statuses = {};
const latencies = [];
let eventNumber = 0;
let acceptedEvents = 0;
let measuring = false;
let stopped = false;
const wake = [];
const dueTimes = [];

const startedAt = performance.now();
const sockets = await Promise.all(Array.from({ length: connections }, openSocket));
if (requestsPerSecond > 0) void pace();
for (const socket of sockets) void drive(socket);

await wait(warmupMs);
measuring = true;
const measuredFrom = performance.now();
const cpuFrom = process.cpuUsage();
process.stdout.write(`${JSON.stringify({ measuring: true })}\n`);
const ticker = setInterval(() => {
  const seconds = (performance.now() - measuredFrom) / 1000;
  process.stdout.write(`${JSON.stringify({ eventsPerSecond: Math.round(acceptedEvents / seconds) })}\n`);
}, 1000);
await wait(durationMs);
measuring = false;
const seconds = (performance.now() - measuredFrom) / 1000;
const { user, system } = process.cpuUsage(cpuFrom);
clearInterval(ticker);
latencies.sort((a, b) => a - b);
const quantile = (q) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * q))] ?? null;
process.stdout.write(
  `${JSON.stringify({
    result: {
      eventsPerSecond: acceptedEvents / seconds,
      requestsPerSecond: latencies.length / seconds,
      p50Ms: quantile(0.5),
      p99Ms: quantile(0.99),
      statuses,
      events: acceptedEvents,
      generatorCpuSeconds: (user + system) / 1e6,
    },
  })}\n`,
);
stopped = true;
process.exit(0);

/** The bytes of one request, and where the ids go. */
function buildTemplate() {
  const messageMark = 'M'.repeat(MESSAGE_ID_LENGTH);
  const userMark = 'U'.repeat(USER_ID_LENGTH);
  const timestamp = new Date().toISOString();
  const batch = Array.from({ length: batchSize }, () => {
    const event = sampleEvent(messageMark, userMark, timestamp);
    if (stamped) event.properties.sentAtMs = TIME_MARK;
    return event;
  });
  const body = JSON.stringify({ batch, sentAt: timestamp });
  const head = [
    'POST /v1/batch HTTP/1.1',
    'Host: 127.0.0.1',
    `Authorization: Basic ${Buffer.from(`${writeKey}:`).toString('base64')}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  const text = `${head.join('\r\n')}\r\n\r\n${body}`;
  return {
    bytes: Buffer.from(text),
    messages: positions(text, messageMark),
    users: positions(text, userMark),
    times: positions(text, String(TIME_MARK)),
  };
}

function positions(text, mark) {
  const found = [];
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + mark.length)) found.push(at);
  return found;
}

function nextRequest(bytes) {
  for (let index = 0; index < batchSize; index += 1) {
    bytes.latin1Write(messageIdOf(run, eventNumber), template.messages[index]);
    bytes.latin1Write(userIdOf(eventNumber * 7_919, users), template.users[index]);
    eventNumber += 1;
  }
  const now = String(Date.now());
  for (const position of template.times) bytes.latin1Write(now, position);
  return bytes;
}

function openSocket() {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket));
    socket.once('error', reject);
    socket.on('error', () => undefined); // What follows is the close.
  });
}

async function drive(opened) {
  let socket = opened;
  const bytes = Buffer.from(template.bytes);
  while (!stopped) {
    const due = requestsPerSecond > 0 ? await nextDue() : performance.now();
    const { status, accepted } = await exchange(socket, nextRequest(bytes));
    if (socket.destroyed || status === 'closed') socket = await openSocket();
    if (!measuring) continue;
    statuses[status] = (statuses[status] ?? 0) + 1;
    acceptedEvents += accepted;
    latencies.push(performance.now() - due);
  }
}

/** Sends one request and reads its answer, which is small and has a Content-Length. */
function exchange(socket, bytes) {
  return new Promise((resolve) => {
    let text = '';
    const onData = (data) => {
      text += data.latin1Slice();
      const end = text.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      if (text.length < end + 4 + length) return;
      socket.off('data', onData);
      socket.off('close', onClose);
      const status = Number(text.slice(9, 12));
      resolve({ status, accepted: status === 200 ? Number(/"accepted":(\d+)/.exec(text)?.[1] ?? 0) : 0 });
    };
    // Refusing a body half-way may end the connection, before or after the answer.
    const onClose = () => {
      socket.off('data', onData);
      resolve({ status: 'closed', accepted: 0 });
    };
    if (socket.destroyed) return onClose();
    socket.on('data', onData);
    socket.once('close', onClose);
    socket.write(bytes);
  });
}

/** With a rate: when the next request is due. Waiting for a free connection counts as latency. */
async function nextDue() {
  while (dueTimes.length === 0) await new Promise((resolve) => wake.push(resolve));
  return dueTimes.shift();
}

async function pace() {
  let issued = 0;
  while (!stopped) {
    const due = Math.floor(((performance.now() - startedAt) / 1000) * requestsPerSecond);
    while (issued < due) {
      issued += 1;
      dueTimes.push(startedAt + (issued / requestsPerSecond) * 1000);
      wake.shift()?.();
    }
    await wait(1);
  }
}

function wait(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
