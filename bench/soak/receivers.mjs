// Webhook receivers that remember what came, and misbehave when told.
import { createServer } from 'node:http';

const MODES = {
  good: (response) => response.end('ok'),
  failing: (response) => response.writeHead(500).end('failing'),
  flaky: (response) => response.writeHead(Math.random() < 0.3 ? 503 : 200).end('flaky'),
  slow: (response) => setTimeout(() => response.end('slow'), 1_000),
  hanging: () => undefined,
};
export const MISBEHAVIOURS = Object.keys(MODES).filter((mode) => mode !== 'good');

/** One receiver. `answered` has, for each messageId that got a 200, its webhook-ids and how often each came. */
export async function startReceiver(name) {
  const receiver = { name, mode: 'good', answered: new Map(), requests: 0, extra: 0 };
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      receiver.requests += 1;
      const id = request.headers['webhook-id'];
      response.once('finish', () => {
        if (response.statusCode === 200) remember(receiver, Buffer.concat(chunks), id);
      });
      MODES[receiver.mode](response);
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(receiver, {
    url: `http://127.0.0.1:${server.address().port}/`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  });
}

function remember(receiver, bytes, id) {
  const { messageId } = JSON.parse(bytes.toString('utf8'));
  const ids = receiver.answered.get(messageId);
  // Almost always one: keep that small.
  if (ids === undefined) receiver.answered.set(messageId, id);
  else if (ids === id) receiver.extra += 1;
  else if (typeof ids === 'string') receiver.answered.set(messageId, new Set([ids, id]));
  else if (ids.has(id)) receiver.extra += 1;
  else ids.add(id);
}
