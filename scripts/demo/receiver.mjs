// A webhook receiver as a customer would write one. It refuses some deliveries once, to show that they are tried again.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { verify } from '@octokit/webhooks-methods';

/** One delivery in this many is answered 503 at its first try. */
const REFUSE_EVERY = 50;

export async function startReceiver(secret) {
  const received = new Map();
  const refused = new Set();
  let verified = 0;
  let tries = 0;
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const id = request.headers['webhook-id'];
    tries += 1;
    if (tries % REFUSE_EVERY === 0 && !refused.has(id)) {
      refused.add(id);
      response.writeHead(503).end();
      return;
    }
    if (!received.has(id) && (await verify(secret, body, request.headers['x-service-signature'] ?? 'none'))) {
      verified += 1;
    }
    received.set(id, JSON.parse(body));
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}/webhooks`,
    /** The events that arrived, each once. */
    events: () => [...received.values()],
    verified: () => verified,
    retried: () => refused.size,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
