// @ts-check
import { createServer } from 'node:http';
import { listenLocally } from './listen-locally.mjs';

/** @typedef {keyof typeof FATES} Fate */

/** What becomes of a request, by what its event says of itself; `tries` of this delivery came before. */
const FATES = {
  fine: () => 200,
  flaky: (tries) => (tries === 0 ? 503 : 200),
  fail: () => 500,
  refuse: () => 422,
  hang: () => undefined,
};

/** A receiver that does with each event what its `context.fate` says, and remembers what it answered to which delivery. */
export async function startFatefulReceiver() {
  /**
   * By delivery: what was answered, in order; undefined is no answer.
   * @type {Map<string, (number | undefined)[]>}
   */
  const statuses = new Map();
  /**
   * By delivery: the messageId.
   * @type {Map<string, string>}
   */
  const messages = new Map();
  /**
   * Paths at which all is well from now on.
   * @type {Set<string | undefined>}
   */
  const mended = new Set();
  /**
   * @param {import('node:http').IncomingMessage} request
   * @param {string} body
   * @param {import('node:http').ServerResponse} response
   */
  const answer = ({ headers, url }, body, response) => {
    /** @type {{ messageId: string, context: { fate: Fate } }} */
    const event = JSON.parse(body);
    const id = String(headers['webhook-id']);
    const before = statuses.get(id) ?? [];
    const status = mended.has(url) ? 200 : FATES[event.context.fate](before.length);
    statuses.set(id, [...before, status]);
    messages.set(id, event.messageId);
    if (status !== undefined) response.writeHead(status).end();
  };
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => answer(request, Buffer.concat(chunks).toString(), response));
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  const url = await listenLocally(server);
  return {
    url: `${url}/`,
    statuses,
    messages,
    mended,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
