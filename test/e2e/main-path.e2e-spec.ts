import { verify } from '@octokit/webhooks-methods';
import { Analytics } from '@segment/analytics-node';
import { Webhook } from 'standardwebhooks';
import { type ApiClient, anApiClient } from '../support/api-client';
import { eventually } from '../support/eventually';
import { Receiver } from '../support/receiver';
import { queueKinds, startTestService, type TestService } from '../support/test-service';

describe.each(queueKinds())('the main path on %s queues', (queue) => {
  let service: TestService;
  let receiver: Receiver;
  let api: ApiClient;

  beforeAll(async () => {
    service = await startTestService({ queue });
    receiver = await Receiver.start();
    api = await anApiClient(service);
  });
  afterAll(async () => {
    await service.close();
    await receiver.stop();
  });

  it('brings the calls of an SDK to a profile, a segment and a receiver that can verify them', async () => {
    const source = (await api.post('/sources', { name: 'Shop', description: 'Web shop' })).body;
    const destination = (
      await api.post('/destinations', { name: 'Hook', type: 'webhook', config: { url: receiver.url } })
    ).body;
    const segment = (
      await api.post('/segments', {
        name: 'Gold',
        rules: [{ field: 'plan', operator: 'eq', value: 'gold' }],
      })
    ).body;

    const sdk = new Analytics({ writeKey: source.writeKey, host: service.url, flushAt: 3 });
    sdk.page({ anonymousId: 'visitor-1', name: 'Home', properties: { path: '/' } });
    sdk.identify({ userId: 'ada', anonymousId: 'visitor-1', traits: { plan: 'gold', city: 'Zürich ☕' } });
    sdk.track({ userId: 'ada', event: 'Order Completed', properties: { total: 12.5 } });
    sdk.group({ userId: 'ada', groupId: 'initech', traits: { seats: 3 } });
    sdk.screen({ userId: 'bob', name: 'Basket' });
    await sdk.closeAndFlush();

    const fromSdk = await eventually(() => {
      const sent = receiver.received.filter(({ body }) => JSON.parse(body).context?.library !== undefined);
      expect(new Set(sent.map(({ body }) => JSON.parse(body).type))).toEqual(
        new Set(['page', 'identify', 'track', 'group', 'screen']),
      );
      return sent;
    });
    for (const { body, headers } of fromSdk) {
      expect(headers['content-type']).toBe('application/json');
      await expect(
        verify(destination.config.secret, body, String(headers['x-service-signature'])),
      ).resolves.toBe(true);
      new Webhook(destination.config.secret).verify(body, headers as Record<string, string>);
    }

    const profile = (await api.get('/profiles/ada')).body;
    expect(profile).toMatchObject({ userId: 'ada', traits: { plan: 'gold', city: 'Zürich ☕' } });
    expect(profile.events.map(({ event }: { event: string }) => event)).toEqual(
      expect.arrayContaining(['Home', 'identify', 'Order Completed', 'group']),
    );
    await eventually(async () => {
      expect((await api.get(`/segments/${segment.id}/members`)).body).toEqual(['ada']);
    });
  });
});
