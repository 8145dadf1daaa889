import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RecordedRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** How a request is answered. */
export type Behaviour = (request: RecordedRequest, response: ServerResponse) => void;

/** A real HTTP server on a free port of 127.0.0.1 that records what it gets and answers as it is told: 200 at first. */
export class RecordingServer {
  readonly requests: RecordedRequest[] = [];
  behaviour: Behaviour = (_request, response) => response.end('ok');

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<RecordingServer> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method = '', url = '', headers } = request;
        const recorded = { method, path: url, headers, body: Buffer.concat(chunks).toString('utf8') };
        recording.requests.push(recorded);
        recording.behaviour(recorded, response);
      });
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    const recording = new RecordingServer(server, `http://127.0.0.1:${port}`);
    return recording;
  }

  /** Answers this to everything from now on. */
  answer(status: number, headers: Record<string, string> = {}, body = ''): void {
    this.behaviour = (_request, response) => response.writeHead(status, headers).end(body);
  }

  /** Never answers from now on. */
  hang(): void {
    this.behaviour = () => undefined;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
  }
}
