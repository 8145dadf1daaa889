import { anEvent } from '../support/an-event';
import { anApiClient } from '../support/api-client';
import { ConnectProxy } from '../support/connect-proxy';
import { deliver } from '../support/deliver';
import { eventually } from '../support/eventually';
import { Receiver } from '../support/receiver';
import { startTestService, type TestService } from '../support/test-service';

const PASSWORD = 'a-password-of-the-proxy';

describe('a service behind a proxy', () => {
  let proxy: ConnectProxy;
  let receiver: Receiver;
  let service: TestService;

  beforeAll(async () => {
    proxy = await ConnectProxy.start();
    proxy.names.set('orders.example.test', '127.0.0.1');
    receiver = await Receiver.start();
    service = await startTestService({
      env: {
        CDP_EGRESS_PROXY: `http://cdp:${PASSWORD}@127.0.0.1:${proxy.port}`,
        CDP_DELIVERY_BACKOFF_MS: '20',
        CDP_DELIVERY_MAX_ATTEMPTS: '2',
      },
    });
  });
  afterAll(async () => {
    await service.close();
    await receiver.stop();
    await proxy.stop();
  });

  it('delivers through it, and tells nobody its password when it refuses', async () => {
    const api = await anApiClient(service);
    const url = receiver.url.replace('127.0.0.1', 'orders.example.test');
    const { id } = (await api.post('/destinations', { name: 'Orders', type: 'webhook', config: { url } }))
      .body;
    proxy.demand('cdp', PASSWORD);
    await deliver(service, [anEvent()]);
    // What the receiver has answered may still be on its way back.
    await eventually(async () => {
      const { body } = await api.get(`/destinations/${id}/deliveries?state=delivered`);
      expect(body).toHaveLength(1);
    });
    expect(receiver.received).toHaveLength(1);
    expect(new Set(proxy.asked)).toEqual(new Set([new URL(url).host]));

    proxy.demand('cdp', 'another');
    proxy.cut();
    await deliver(service, [anEvent()]);
    const deliveries = await eventually(async () => {
      const { body } = await api.get(`/destinations/${id}/deliveries?state=dead`);
      expect(body).toMatchObject([{ errorClass: 'proxy_failed' }]);
      return body as { id: string }[];
    });
    const { body: delivery } = await api.get(`/deliveries/${deliveries[0]!.id}`);
    expect(JSON.stringify(delivery)).toContain('proxy_failed');
    expect(JSON.stringify(delivery)).not.toContain(PASSWORD);
    expect(receiver.received).toHaveLength(1);
  });
});
