import { Webhook } from 'standardwebhooks';
import { ActiveDestinations } from '../../src/destinations/active-destinations';
import { anEvent } from '../support/an-event';
import { type ApiClient, anApiClient } from '../support/api-client';
import { deliver, ledgerOf } from '../support/deliver';
import { eventually } from '../support/eventually';
import { isSignedWith, Receiver } from '../support/receiver';
import { queueKinds, startTestService, type TestService } from '../support/test-service';

const FAST = {
  CDP_DELIVERY_TIMEOUT_MS: '1000',
  CDP_DELIVERY_BACKOFF_MS: '20',
  CDP_DELIVERY_BACKOFF_CAP_MS: '200',
  CDP_DELIVERY_MAX_ATTEMPTS: '4',
  CDP_DELIVERY_GRACE_MS: '500',
  CDP_BREAKER_FAILURES: '10',
};

describe.each(queueKinds())('delivery on %s queues', (queue) => {
  let service: TestService;
  let receiver: Receiver;
  let api: ApiClient;

  beforeAll(async () => {
    service = await startTestService({ queue, env: FAST });
    api = await anApiClient(service);
  });
  afterAll(async () => {
    await service.close();
  });
  beforeEach(async () => {
    receiver = await Receiver.start();
  });
  afterEach(async () => {
    await receiver.stop();
    const { body } = await api.get('/destinations');
    for (const { id } of body) await api.delete(`/destinations/${id}`);
  });

  async function aDestination(config: object = {}): Promise<{ id: string; config: { secret: string } }> {
    const answer = await api.post('/destinations', {
      name: `Receiver ${Math.random()}`,
      type: 'webhook',
      config: { url: `${receiver.url}/hook?a=b`, ...config },
    });
    expect(answer.status).toBe(201);
    return answer.body;
  }

  async function statesOf(destinationId: string): Promise<string[]> {
    return (await ledgerOf(service, destinationId)).map(({ state }) => state);
  }

  it('delivers the bytes of each event, signed in both ways', async () => {
    const destination = await aDestination();
    const events = Array.from({ length: 250 }, (_, n) => anEvent({ properties: { n, name: 'Zoë ☕' } }));
    await deliver(service, events);
    await eventually(async () => {
      expect(receiver.ids()).toHaveLength(250);
      expect(new Set(await statesOf(destination.id))).toEqual(new Set(['delivered']));
    });
    expect(receiver.received).toHaveLength(250);
    const [delivery] = receiver.received;
    expect(delivery!.path).toBe('/hook?a=b');
    expect(delivery!.headers['content-type']).toBe('application/json');
    expect(JSON.parse(delivery!.body)).toMatchObject({
      type: 'track',
      event: 'Order Completed',
      userId: 'ada',
    });
    for (const one of receiver.received) {
      expect(isSignedWith(destination.config.secret, one)).toBe(true);
      new Webhook(destination.config.secret).verify(one.body, one.headers as Record<string, string>);
    }
  });

  it('retries with the same id until the receiver takes it', async () => {
    const destination = await aDestination();
    let calls = 0;
    receiver.behaviour = (_delivery, response) => response.writeHead((calls += 1) < 3 ? 500 : 204).end();
    await deliver(service, [anEvent()]);
    await eventually(async () => expect(await statesOf(destination.id)).toEqual(['delivered']));
    expect(receiver.received).toHaveLength(3);
    expect(receiver.ids()).toHaveLength(1);
    expect(await ledgerOf(service, destination.id)).toMatchObject([{ attempts: 3 }]);
  });

  it('gives up after the configured number of tries', async () => {
    const destination = await aDestination();
    receiver.answer(503);
    await deliver(service, [anEvent()]);
    await eventually(async () => expect(await statesOf(destination.id)).toEqual(['dead']));
    expect(receiver.received).toHaveLength(4);
    expect(await ledgerOf(service, destination.id)).toMatchObject([{ attempts: 4, error_class: 'http_5xx' }]);
  });

  it('keeps the deliveries of a paused destination and makes them when it is enabled', async () => {
    const destination = await aDestination();
    await api.put(`/destinations/${destination.id}`, { enabled: false });
    await deliver(service, [anEvent(), anEvent()]);
    await service.app.get(ActiveDestinations, { strict: false }).refresh();
    expect(await statesOf(destination.id)).toEqual(['pending', 'pending']);
    await api.put(`/destinations/${destination.id}`, { enabled: true });
    await eventually(async () => expect(await statesOf(destination.id)).toEqual(['delivered', 'delivered']));
    expect(receiver.received).toHaveLength(2);
  });
});
