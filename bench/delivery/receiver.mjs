// A receiver in a process of its own, which stands for another machine: it takes as little as it can of the processors
// that are measured, so it reads just as much HTTP as is written to it here. The first path segment says how it
// behaves: /ok answers 200, /hang never answers, /down answers 503 until POST /control/up.
import { createServer } from 'node:net';

const OK = answerOf('200 OK');
const DOWN = answerOf('503 Service Unavailable');
const HEAD_END = Buffer.from('\r\n\r\n');

const counts = new Map(); // path → { received, ids, latencies }
let down = true;

function entry(path) {
  let found = counts.get(path);
  if (found === undefined) counts.set(path, (found = { received: 0, ids: new Set(), latencies: [] }));
  return found;
}

createServer((socket) => {
  socket.setNoDelay(true);
  socket.on('error', () => undefined); // Whoever sends may be killed.
  let unread = Buffer.alloc(0);
  socket.on('data', (data) => {
    unread = unread.length === 0 ? data : Buffer.concat([unread, data]);
    for (;;) {
      const headEnd = unread.indexOf(HEAD_END);
      if (headEnd === -1) return;
      const head = unread.latin1Slice(0, headEnd);
      const start = headEnd + HEAD_END.length;
      const end = start + Number(headerOf(head, 'content-length') ?? 0);
      if (unread.length < end) return;
      const given = answer(head, unread.subarray(start, end));
      if (given !== undefined) socket.write(given);
      unread = unread.subarray(end);
    }
  });
}).listen(Number(process.argv[2] ?? 0), '127.0.0.1', function listening() {
  process.send?.({ port: this.address().port });
});

/** Undefined is none. */
function answer(head, body) {
  const path = head.split(' ', 2)[1];
  if (path.startsWith('/control/')) return control(path);
  const counted = entry(path);
  if (path.startsWith('/hang')) return undefined; // Kept open.
  if (path.startsWith('/down') && down) return DOWN;
  counted.received += 1;
  counted.ids.add(headerOf(head, 'webhook-id'));
  if (path.startsWith('/timed')) {
    counted.latencies.push(Date.now() - JSON.parse(body.toString()).properties.sentAtMs);
  }
  return OK;
}

function control(path) {
  if (path === '/control/up') down = false;
  if (path === '/control/reset') counts.clear();
  const seen = [...counts].map(([name, { received, ids, latencies }]) => [
    name,
    { received, distinct: ids.size, latencies },
  ]);
  return answerOf('200 OK', JSON.stringify(Object.fromEntries(seen)));
}

function headerOf(head, name) {
  const at = head.toLowerCase().indexOf(`\r\n${name}:`);
  if (at === -1) return undefined;
  const start = at + name.length + 3;
  const end = head.indexOf('\r\n', start);
  return head.slice(start, end === -1 ? undefined : end).trim();
}

function answerOf(status, text = '') {
  return Buffer.from(`HTTP/1.1 ${status}\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
}
