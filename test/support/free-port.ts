import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below what systems hand out by themselves: Linux from 32768, macOS and Windows from 49152. */
const FIRST = 20_000;
const LAST = 32_000;

/**
 * A TCP port on 127.0.0.1 that nobody listens on. Who asks the system for a port is given one that
 * the next connection of any process may take before it is listened on; these are given to nobody.
 * @param distance for who listens on the port that is so much higher, too
 */
export async function freePort(distance = 0): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST - distance);
    if ((await isFree(port)) && (await isFree(port + distance))) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    );
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
