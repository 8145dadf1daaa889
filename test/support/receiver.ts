import {
  createServer,
  type IncomingHttpHeaders,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { createHmac } from 'node:crypto';

/** A request as the receiver got it. */
export interface ReceivedDelivery {
  readonly method: string;
  /** As it stood in the request line. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The `webhook-id`. */
  readonly id: string;
  readonly body: string;
  /** Who the client's certificate says it is, where there is one. */
  readonly client?: string | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** How the receiver answers one request; default 200. */
export type Behaviour = (delivery: ReceivedDelivery, response: ServerResponse) => void;

/** A webhook receiver that records everything and behaves as told. */
export class Receiver {
  readonly received: ReceivedDelivery[] = [];
  behaviour: Behaviour = (_delivery, response) => response.end('ok');

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  /** With TLS where there are options for it. */
  static async start(port = 0, tls?: ServerOptions): Promise<Receiver> {
    const listener: RequestListener = (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method = '', url: path = '', headers } = request;
        const body = Buffer.concat(chunks).toString('utf8');
        const id = String(headers['webhook-id']);
        const client = clientOf(request.socket);
        const delivery = { method, path, headers, id, body, client, at: Date.now() };
        receiver.received.push(delivery);
        receiver.behaviour(delivery, response);
      });
    };
    const server = tls === undefined ? createServer(listener) : createSecureServer(tls, listener);
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    const origin = tls === undefined ? 'http://127.0.0.1' : 'https://localhost';
    const receiver = new Receiver(server, `${origin}:${(server.address() as AddressInfo).port}`);
    return receiver;
  }

  /** Connections that are open. */
  connections(): Promise<number> {
    return new Promise((resolve, reject) =>
      this.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
    );
  }

  /** Answers this status to everything from now on. */
  answer(status: number, headers: Record<string, string> = {}): void {
    this.behaviour = (_delivery, response) => response.writeHead(status, headers).end(`status ${status}`);
  }

  /** The ids of the deliveries so far, each once. */
  ids(): string[] {
    return [...new Set(this.received.map(({ id }) => id))];
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

function clientOf(socket: Socket): string | undefined {
  return socket instanceof TLSSocket ? [socket.getPeerCertificate().subject?.CN].flat()[0] : undefined;
}

/** Checks `X-Service-Signature` as a receiver does. */
export function isSignedWith(secret: string, { headers, body }: ReceivedDelivery): boolean {
  const expected = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  return headers['x-service-signature'] === expected;
}
