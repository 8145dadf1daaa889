import { randomUUID } from 'node:crypto';
import { type ApiClient, anApiClient } from './api-client';
import { eventually } from './eventually';
import { Receiver } from './receiver';
import { type QueueKind, startTestService, type TestService } from './test-service';

/** A service that shares a database with others, as its operator and its clients see it. */
export class Neighbour {
  private readonly sent: string[] = [];

  private constructor(
    readonly service: TestService,
    readonly receiver: Receiver,
    readonly api: ApiClient,
    readonly source: { readonly id: string; readonly writeKey: string },
    readonly segment: { readonly id: string },
  ) {}

  /** With a source, a segment of people whose plan is gold, and a destination. */
  static async start(databaseUrl: string, queue: QueueKind): Promise<Neighbour> {
    const service = await startTestService({ queue, databaseUrl });
    const receiver = await Receiver.start();
    const api = await anApiClient(service);
    const source = (await api.post('/sources', { name: 'Shop' })).body;
    const rules = [{ field: 'plan', operator: 'eq', value: 'gold' }];
    const segment = (await api.post('/segments', { name: 'Gold', rules })).body;
    const config = { url: receiver.url };
    const { status } = await api.post('/destinations', { name: 'Hook', type: 'webhook', config });
    if (status !== 201) throw new Error(`The destination was answered with ${status}.`);
    return new Neighbour(service, receiver, api, source, segment);
  }

  /** Sends so many events of each of the people, who get the plan gold; answers the status. */
  async send(userIds: readonly string[], each = 1): Promise<number> {
    const timestamp = new Date().toISOString();
    const batch = userIds.flatMap((userId) => [
      { type: 'identify', userId, messageId: randomUUID(), timestamp, traits: { plan: 'gold' } },
      ...Array.from({ length: each }, () => ({
        type: 'track',
        event: 'Order Completed',
        userId,
        messageId: randomUUID(),
        timestamp,
      })),
    ]);
    const { status } = await fetch(`${this.service.url}/v1/batch`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${this.source.writeKey}:`)}` },
      body: JSON.stringify({ batch }),
    });
    if (status === 200) this.sent.push(...batch.map(({ messageId }) => messageId));
    return status;
  }

  /** The message ids of what its receiver got, each once. */
  get received(): string[] {
    const ids = this.receiver.received.map(
      ({ body }) => (JSON.parse(body) as { messageId: string }).messageId,
    );
    return [...new Set(ids)].filter((id) => id !== undefined);
  }

  /** Waits until its receiver has all that was accepted. */
  async settle(timeoutMs?: number): Promise<void> {
    await eventually(() => {
      const received = new Set(this.received);
      const missing = this.sent.filter((id) => !received.has(id)).length;
      if (missing > 0) throw new Error(`${missing} of ${this.sent.length} are missing.`);
    }, timeoutMs);
  }

  /** Whether its receiver got what nobody sent to this service. */
  get strangers(): string[] {
    const sent = new Set(this.sent);
    return this.received.filter((id) => !sent.has(id));
  }

  get sentCount(): number {
    return this.sent.length;
  }

  async stop(): Promise<void> {
    await this.service.close();
    await this.receiver.stop();
  }
}
