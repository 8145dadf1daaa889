import { type TestService, startTestService } from '../support/test-service';
import { aSource } from '../support/a-source';
import { storedEvents } from '../support/stored-events';

describe('the Events API', () => {
  let service: TestService;
  let authorization: string;

  beforeAll(async () => {
    service = await startTestService({ env: { CDP_ROLES: 'management,events' } });
    const { writeKey } = await aSource(service.databaseUrl);
    authorization = `Basic ${Buffer.from(`${writeKey}:`).toString('base64')}`;
  });
  afterAll(() => service.close());

  function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${service.url}${path}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  }

  it('stores a batch once, however often it is sent', async () => {
    const timestamp = '2026-11-20T14:00:00.000Z';
    const batch = [
      { type: 'track', event: 'Order Completed', userId: 'once', messageId: 'once-1', timestamp },
      { type: 'identify', userId: 'once', traits: { plan: 'pro' }, messageId: 'once-2', timestamp },
    ];
    const first = await post('/v1/batch', { batch });
    expect(first.status).toBe(200);
    expect(await first.json()).toEqual({ success: true, accepted: 2, duplicates: 0 });
    const second = await post('/v1/batch/', { batch });
    expect(await second.json()).toEqual({ success: true, accepted: 0, duplicates: 2 });
    const stored = await storedEvents(service, 'u:once');
    expect(stored).toEqual([
      expect.objectContaining({
        type: 'track',
        event: 'Order Completed',
        userId: 'once',
        messageId: 'once-1',
        timestamp,
      }),
      expect.objectContaining({ type: 'identify', traits: { plan: 'pro' }, messageId: 'once-2' }),
    ]);
  });
});
