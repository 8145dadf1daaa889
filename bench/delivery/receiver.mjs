// A receiver in a process of its own. Its first path segment says how it behaves:
// /ok answers 200, /hang never answers, /down answers 503 until POST /control/up.
import { createServer } from 'node:http';

const counts = new Map(); // path → { received, ids, latencies }
let down = true;

function entry(path) {
  let found = counts.get(path);
  if (found === undefined) counts.set(path, (found = { received: 0, ids: new Set(), latencies: [] }));
  return found;
}

createServer((request, response) => {
  const path = request.url;
  if (path.startsWith('/control/')) return control(path, response);
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const counted = entry(path);
    if (path.startsWith('/hang')) return; // Kept open.
    if (path.startsWith('/down') && down) return response.writeHead(503).end();
    counted.received += 1;
    counted.ids.add(request.headers['webhook-id']);
    if (path.startsWith('/timed')) {
      const body = JSON.parse(Buffer.concat(chunks).toString());
      counted.latencies.push(Date.now() - body.properties.sentAtMs);
    }
    response.end();
  });
}).listen(Number(process.argv[2] ?? 0), '127.0.0.1', function listening() {
  process.send?.({ port: this.address().port });
});

function control(path, response) {
  if (path === '/control/up') down = false;
  if (path === '/control/reset') counts.clear();
  const seen = [...counts].map(([name, { received, ids, latencies }]) => [
    name,
    { received, distinct: ids.size, latencies },
  ]);
  response.end(JSON.stringify(Object.fromEntries(seen)));
}
