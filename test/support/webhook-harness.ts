import { type ApiAnswer, type ApiClient, anApiClient } from './api-client';
import { type ReceivedDelivery, Receiver } from './receiver';
import { startTestService, type TestService } from './test-service';

/** What the service signs with. */
export const SECRET = 'a-signing-secret-of-length-0000';
/** Nobody may see these but the receiver. */
export const GATEWAY_KEY = 'key-of-the-gateway-nobody-sees-1111';
export const PASSWORD = 'pass"word & of nobody 2222';
export const BASIC = Buffer.from(`ada:${PASSWORD}`).toString('base64');
export const HEADERS = { 'X-Gateway-Key': GATEWAY_KEY, 'X.Tenant': 'shöp' };
export const AUTH = { type: 'basic', username: 'ada', password: PASSWORD };

interface MadeDestination {
  readonly id: string;
  readonly name: string;
  readonly config: object;
}

/** A service with the webhook destinations of a test, and a receiver and a stranger for each test. */
export class WebhookHarness {
  service: TestService;
  receiver: Receiver;
  stranger: Receiver;
  api: ApiClient;
  /** Of the destinations made so far. */
  names = 0;

  /** To be called within `describe`. */
  static forSuite(): WebhookHarness {
    const harness = new WebhookHarness();
    beforeAll(() => harness.start());
    afterAll(() => harness.service.close());
    beforeEach(async () => {
      harness.receiver = await Receiver.start();
      harness.stranger = await Receiver.start();
    });
    afterEach(() => harness.clean());
    return harness;
  }

  configOf(members: object = {}): object {
    return { url: `${this.receiver.url}/in`, secret: SECRET, ...members };
  }

  async aDestination(members: object = {}, others: object = {}): Promise<MadeDestination> {
    const given = {
      name: `Receiver ${++this.names}`,
      type: 'webhook',
      config: this.configOf(members),
      ...others,
    };
    const { status, body } = await this.api.post('/destinations', given);
    expect({ status, errors: body.errors }).toEqual({ status: 201, errors: undefined });
    return body;
  }

  /** What comes of a test, which sends as deliveries do. */
  async sentTo(id: string): Promise<ReceivedDelivery> {
    this.receiver.received.length = 0;
    expect((await this.api.post(`/destinations/${id}/test`)).body).toMatchObject({ delivered: true });
    expect(this.receiver.received).toHaveLength(1);
    return this.receiver.received[0]!;
  }

  /** Changes the config of a destination. */
  put(id: string, members: object): Promise<ApiAnswer<{ errors?: unknown; config: { headers?: object } }>> {
    return this.api.put(`/destinations/${id}`, { config: this.configOf(members) });
  }

  /** Expects that neither a new destination nor one that is there may have such a config. */
  async expectRefused(members: object, problem: object): Promise<void> {
    const given = { name: 'Refused', type: 'webhook', config: this.configOf(members) };
    const { id } = await this.aDestination();
    for (const { status, body } of [
      await this.api.post('/destinations', given),
      await this.put(id, members),
    ]) {
      expect(status).toBe(400);
      expect(body.errors).toContainEqual(expect.objectContaining(problem));
    }
  }

  private async start(): Promise<void> {
    const env = { CDP_DELIVERY_BACKOFF_MS: '20', CDP_DELIVERY_MAX_ATTEMPTS: '1' };
    this.service = await startTestService({ env });
    this.api = await anApiClient(this.service);
  }

  private async clean(): Promise<void> {
    for (const { id } of (await this.api.get('/destinations')).body)
      await this.api.delete(`/destinations/${id}`);
    await this.receiver.stop();
    await this.stranger.stop();
  }
}
