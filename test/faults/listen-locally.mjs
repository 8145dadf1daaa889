// @ts-check
import { once } from 'node:events';

/**
 * Lets a server listen at a free port of this machine; answers its address, without a slash at the end.
 * @param {import('node:net').Server} server
 */
export async function listenLocally(server) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return `http://127.0.0.1:${port}`;
}
