import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Stands between the service and PostgreSQL or Redis, so that a test can cut the line. */
export interface TcpProxy {
  readonly port: number;
  /** Breaks all connections and refuses new ones, as a server that was killed. */
  cut(): Promise<void>;
  restore(): Promise<void>;
  /**
   * Lets nothing through any more, not even the end of a connection, as a firewall that drops packets. New connections are
   * taken and hear nothing.
   */
  silence(): void;
  /** Falls silent with the first request of a client that has this text in it: what it asks is done, and not answered. */
  silenceAt(text: string): void;
  /** Serves new connections. Those that have fallen silent stay so: the firewall has forgotten them. */
  forget(): void;
  /** Leads new connections to another server. */
  lead(port: number): void;
  close(): Promise<void>;
}

export async function startTcpProxy(targetHost: string, firstTargetPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const forgotten = new WeakSet<Socket>();
  let silent = false;
  let lastWords: string | undefined;
  let targetPort = firstTargetPort;
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  };
  const silence = (): void => {
    silent = true;
    for (const socket of sockets) {
      forgotten.add(socket);
      socket.unpipe().pause();
    }
  };
  const server = createServer((inbound) => {
    keep(inbound);
    if (silent) return;
    inbound.on('data', (chunk) => {
      if (lastWords !== undefined && chunk.includes(lastWords)) silence();
    });
    const outbound = connect(targetPort, targetHost);
    keep(outbound);
    for (const [from, to] of [
      [inbound, outbound],
      [outbound, inbound],
    ] as const) {
      from.pipe(to);
      from.on('close', () => {
        if (!forgotten.has(from)) to.destroy();
      });
    }
  });
  await listen(server, 0);
  const { port } = server.address() as AddressInfo;
  const cut = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  return {
    port,
    cut,
    restore: () => listen(server, port),
    silence,
    silenceAt: (text) => void (lastWords = text),
    forget: () => void (silent = false),
    lead: (to) => void (targetPort = to),
    close: cut,
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}
