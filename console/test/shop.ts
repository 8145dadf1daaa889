import { randomUUID } from 'node:crypto';
import { Receiver } from '../../test/support/receiver';
import type { ConsoleHarness } from './harness';

interface Source {
  readonly id: string;
  readonly name: string;
  readonly writeKey: string;
}

export interface Destination {
  readonly id: string;
  readonly name: string;
  /** As the creation answers it. */
  readonly config: { readonly secret: string };
}

/** What the tests of a page send and receive, apart from those of the other pages. */
export class Shop {
  private constructor(
    private readonly harness: ConsoleHarness,
    readonly source: Source,
    /** Takes everything, but on `/bad` nothing, and on `/later` nothing for an hour. */
    readonly receiver: Receiver,
  ) {}

  static async open(harness: ConsoleHarness): Promise<Shop> {
    const { body: source } = await harness.api.post('/sources', { name: `Shop ${randomUUID()}` });
    const receiver = await Receiver.start();
    receiver.behaviour = ({ path }, response) => {
      if (path === '/later') response.writeHead(503, { 'retry-after': '3600' }).end();
      else response.writeHead(path === '/bad' ? 500 : 200).end(path === '/bad' ? 'no room' : 'taken');
    };
    return new Shop(harness, source, receiver);
  }

  close(): Promise<void> {
    return this.receiver.stop();
  }

  /** A track; a text is sent as it is. */
  async send(event: object | string, status = 200): Promise<void> {
    const authorization = `Basic ${Buffer.from(`${this.source.writeKey}:`).toString('base64')}`;
    const answer = await this.harness.api.with({ authorization }).post('/v1/track', event);
    expect(answer.status).toBe(status);
  }

  /** Events of any type. */
  async sendAll(...events: object[]): Promise<void> {
    const timestamp = new Date().toISOString();
    const batch = events.map((event) => ({ messageId: randomUUID(), timestamp, ...event }));
    const authorization = `Basic ${Buffer.from(`${this.source.writeKey}:`).toString('base64')}`;
    const answer = await this.harness.api.with({ authorization }).post('/v1/batch', { batch });
    expect(answer).toMatchObject({ status: 200 });
  }

  /** A webhook of the receiver, which gets what the members say. */
  async aDestination(path = '', members: object = {}): Promise<Destination> {
    const name = `Receiver ${randomUUID()}`;
    const config = { url: `${this.receiver.url}${path}` };
    const created = await this.harness.api.post('/destinations', {
      name,
      type: 'webhook',
      config,
      ...members,
    });
    expect(created.status).toBe(201);
    return created.body;
  }
}
