import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createHttpAdapter } from '../../src/platform/http/server/http-adapter';

/** More than the network holds between the two. */
const LARGE = 'x'.repeat(32 * 2 ** 20);
/** A machine with other work may hold up who reads for a second. */
const SILENCE_MS = 5_000;

describe('an answer that nobody reads', () => {
  it('ends its connection in the end, and one that is read does not', async () => {
    const adapter = createHttpAdapter({
      requestTimeoutMs: 60_000,
      silenceMs: SILENCE_MS,
      prepareAnswer: () => undefined,
      stringify: JSON.stringify,
    });
    const fastify = adapter.getInstance();
    fastify.get('/large', () => LARGE);
    await fastify.listen({ host: '127.0.0.1', port: 0 });
    const { port } = fastify.server.address() as AddressInfo;
    const accepted = once(fastify.server, 'connection');
    const reader = connect(port, '127.0.0.1').pause();
    try {
      const [connection] = (await accepted) as [Socket];
      reader.write('GET /large HTTP/1.1\r\nhost: here\r\n\r\n');
      await once(connection, 'close');
      expect(connection.bytesWritten).toBeGreaterThan(0);
      const answer = await fetch(`http://127.0.0.1:${port}/large`);
      expect((await answer.text()).length).toBe(LARGE.length);
    } finally {
      reader.destroy();
      await fastify.close();
    }
  });
});
