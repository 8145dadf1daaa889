import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const PROBE_INTERVAL_MS = 100;

/**
 * A load balancer as simple as they come: passes each new TCP connection to the next backend that says it is ready, and
 * leaves connections alone that are open.
 */
export class RoundRobinProxy {
  private backends: string[] = [];
  private ready: string[] = [];
  private next = 0;
  private stopped = false;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {
    void this.probeAll();
  }

  static async start(): Promise<RoundRobinProxy> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const proxy = new RoundRobinProxy(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('connection', (client) => proxy.pass(client));
    return proxy;
  }

  /** The backends from now on, `http://host:port`. */
  use(urls: readonly string[]): void {
    this.backends = [...urls];
  }

  /** Of the backends, those that said so at the last probe. */
  get readyBackends(): readonly string[] {
    return this.ready;
  }

  async stop(): Promise<void> {
    this.stopped = true;
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private pass(client: Socket): void {
    const backend = this.ready[this.next++ % Math.max(this.ready.length, 1)];
    if (backend === undefined) return void client.destroy();
    const { hostname, port } = new URL(backend);
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    }
    client.on('error', () => upstream.destroy());
    upstream.on('error', () => client.destroy());
    client.pipe(upstream).pipe(client);
  }

  private async probeAll(): Promise<void> {
    while (!this.stopped) {
      const backends = this.backends;
      const answers = await Promise.all(backends.map(isReady));
      this.ready = backends.filter((_, index) => answers[index]);
      await delay(PROBE_INTERVAL_MS);
    }
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health/ready`)).ok;
  } catch {
    return false; // Not up, or not any more.
  }
}
