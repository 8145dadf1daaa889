import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A client that waits for an answer before asking again, as browsers and SDKs do, has one. */
const MAX_AT_ONCE = 16;

/**
 * Cuts connections of which many requests come at once: two megabytes of the smallest ones are read in one turn of the
 * event loop, and Node would begin all of them before anything else gets its turn.
 */
export function limitPipelining(server: Server): void {
  const ofThisTurn = new Map<Socket, number>();
  const handlers = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    if (socket.destroyed) return;
    if (ofThisTurn.size === 0) setImmediate(() => ofThisTurn.clear());
    const before = ofThisTurn.get(socket) ?? 0;
    if (before === MAX_AT_ONCE) return void socket.destroy();
    ofThisTurn.set(socket, before + 1);
    for (const handle of handlers) handle(request, response);
  });
}
