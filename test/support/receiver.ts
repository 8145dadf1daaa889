import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHmac } from 'node:crypto';

/** A request as the receiver got it. */
export interface ReceivedDelivery {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The `webhook-id`. */
  readonly id: string;
  readonly body: string;
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

  static async start(port = 0): Promise<Receiver> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method = '', url: path = '', headers } = request;
        const body = Buffer.concat(chunks).toString('utf8');
        const id = String(headers['webhook-id']);
        const delivery = { method, path, headers, id, body, at: Date.now() };
        receiver.received.push(delivery);
        receiver.behaviour(delivery, response);
      });
    });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    const receiver = new Receiver(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return receiver;
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

/** Checks `X-Service-Signature` as a receiver does. */
export function isSignedWith(secret: string, { headers, body }: ReceivedDelivery): boolean {
  const expected = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  return headers['x-service-signature'] === expected;
}
