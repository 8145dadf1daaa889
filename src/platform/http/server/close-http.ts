import { setTimeout as delay } from 'node:timers/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

/**
 * While `isDraining`, every answer ends its connection, so that clients which keep theirs open come back on a new
 * one, which the load balancer gives to another process. So does that to a request from before: the listener waits for
 * connections that are kept open. Call it before the service listens.
 */
export function endConnectionsWhile(app: NestFastifyApplication, isDraining: () => boolean): void {
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onSend', (_request, reply, _payload, done) => {
      if (isDraining()) void reply.header('connection', 'close');
      done();
    });
}

/**
 * Stops listening and resolves when the requests that were under way are answered; those that are not within
 * `timeoutMs` lose their connection. Everything they need has to be there until then.
 */
export async function closeHttp(app: NestFastifyApplication, timeoutMs: number): Promise<void> {
  const timer = new AbortController();
  void delay(timeoutMs, undefined, { signal: timer.signal, ref: false }).then(
    () => app.getHttpServer().closeAllConnections(),
    () => undefined, // All were answered in time.
  );
  await app.getHttpAdapter().getInstance().close();
  timer.abort();
}
