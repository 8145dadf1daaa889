import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** What a proxy does with a request for a tunnel. */
export type Tunnelling = (request: IncomingMessage, socket: Socket) => void;

/** A forward proxy that speaks HTTP CONNECT, as corporate networks have them. */
export class ConnectProxy {
  /** What tunnels were asked for, as `host:port`. */
  readonly asked: string[] = [];
  /** Requests that are no CONNECT: none. */
  others = 0;
  /** What it knows that its clients do not: addresses of names. */
  readonly names = new Map<string, string>();
  tunnelling: Tunnelling = (request, socket) => this.tunnel(request, socket);
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<ConnectProxy> {
    const server = createServer((_request, response) => {
      proxy.others += 1;
      response.writeHead(400).end();
    });
    const proxy = new ConnectProxy(server);
    server.on('connection', (socket) => proxy.keep(socket));
    server.on('connect', (request: IncomingMessage, socket: Socket) => {
      proxy.asked.push(String(request.url));
      proxy.tunnelling(request, socket);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Lets in who has these credentials alone. */
  demand(username: string, password: string): void {
    const expected = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    this.tunnelling = (request, socket) => {
      if (request.headers['proxy-authorization'] === expected) return this.tunnel(request, socket);
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n');
    };
  }

  /** Breaks all tunnels; new ones may be asked for. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private tunnel({ url }: IncomingMessage, socket: Socket): void {
    const { hostname, port } = new URL(`http://${url}`);
    const target = connect(Number(port) || 80, this.names.get(hostname) ?? hostname);
    this.keep(target);
    target.once('connect', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(target).pipe(socket);
    });
    target.once('error', () => socket.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n'));
  }

  private keep(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.sockets.delete(socket));
  }
}
