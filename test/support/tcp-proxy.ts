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
  let targetPort = firstTargetPort;
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer((inbound) => {
    keep(inbound);
    if (silent) return;
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
    silence: () => {
      silent = true;
      for (const socket of sockets) {
        forgotten.add(socket);
        socket.unpipe().pause();
      }
    },
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
