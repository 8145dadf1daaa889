import type { ConnectorContext, OutboundRequest } from '../../src/connectors/connector-context';
import { EgressHttp } from '../../src/connectors/egress/egress-http';
import { EgressPolicy } from '../../src/connectors/egress/egress-policy';
import { EgressProxy } from '../../src/connectors/egress/egress-proxy';
import { HttpClient } from '../../src/connectors/egress/http-client';
import { S3ExportConnector } from '../../src/connectors/s3-export/s3-export.connector';
import type { WebhookConfig } from '../../src/connectors/webhook/webhook-config';
import { WebhookConnector } from '../../src/connectors/webhook/webhook.connector';
import { Config } from '../../src/platform/config/config';
import { ConnectProxy } from '../support/connect-proxy';
import { HOSTILE_HOSTS } from '../support/hostile-targets';
import { Receiver } from '../support/receiver';
import { CLIENT_A, PRIVATE_CA } from '../support/tls-files';

/** Nobody resolves these but a proxy: without one they are no address at all. */
const HOSTS = HOSTILE_HOSTS.filter((host) => !host.endsWith('.invalid'));
const EVENT = { deliveryId: 'delivery-1', eventType: 'track', body: '{"type":"track","userId":"ada"}' };

type Settings = Partial<WebhookConfig>;

/** Whatever a webhook may be told, each with `{userId}` in its path where an event has a say. */
const OPTIONS: [string, Settings, string?][] = [
  ['no options', {}],
  ['headers', { headers: { 'X-Gateway-Key': 'a key of the gateway', 'X-Forwarded-Host': 'example.com' } }],
  ['Basic credentials', { auth: { type: 'basic', username: 'ada', password: 'a password' } }],
  ['a bearer token', { auth: { type: 'bearer', token: 'a token' } }],
  ['an API key', { auth: { type: 'apiKey', header: 'X-Api-Key', value: 'a key' } }],
  ['another method', { method: 'PUT' }],
  ['a field of the event in the path', {}, '/people/{userId}/events'],
  ['another signature header', { signatureHeader: 'X-Hub-Signature-256' }],
  ['CloudEvents', { envelope: 'cloudevents' }],
  ['a private authority', { tls: { ca: PRIVATE_CA } }],
  ['mutual TLS', { tls: { ca: PRIVATE_CA, ...CLIENT_A } }],
];

describe.each(['directly', 'through a proxy'])('what must not be reached is not, %s', (way) => {
  let proxy: ConnectProxy;
  /** Listens at loopback, which is where some of the hosts lead. */
  let trap: Receiver;
  let port: string;
  const clients: HttpClient[] = [];

  beforeEach(async () => {
    proxy = await ConnectProxy.start();
    trap = await Receiver.start();
    ({ port } = new URL(trap.url));
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.onModuleDestroy()));
    await trap.stop();
    await proxy.stop();
  });

  interface Egress {
    readonly policy: EgressPolicy;
    readonly client: HttpClient;
    readonly context: () => ConnectorContext;
  }

  function egressWith(variables: Record<string, string>): Egress {
    const config = Config.from({
      ...(way === 'directly' ? {} : { CDP_EGRESS_PROXY: proxy.url }),
      ...variables,
    });
    const policy = new EgressPolicy(config);
    const egressProxy = new EgressProxy(config);
    const client = new HttpClient(policy, egressProxy);
    clients.push(client);
    const egress = new EgressHttp(policy, client, egressProxy);
    const context = (): ConnectorContext => {
      const attempt = { destinationId: 'd1', deadline: performance.now() + 3_000 };
      const http = { request: (request: OutboundRequest) => egress.request(request, attempt) };
      return { ...attempt, signal: AbortSignal.timeout(3_000), http } as unknown as ConnectorContext;
    };
    return { policy, client, context };
  }

  function expectNobodyReached(): void {
    expect(proxy.asked).toEqual([]);
    expect(proxy.others).toBe(0);
    expect(trap.received).toEqual([]);
  }

  const batchOf = (id: string): Parameters<WebhookConnector['sendBatch']>[0] => ({
    id,
    sourceId: 's1',
    hour: '2026-11-20T16',
    eventCount: 1,
    // oxlint-disable-next-line typescript/require-await -- as those that are read from the store.
    events: async function* () {
      yield { ...EVENT, sourceId: 's1' };
    },
  });

  it.each(OPTIONS)('by a webhook with %s', async (_what, settings, path = '/in') => {
    const { policy, client, context } = egressWith({ CDP_EGRESS_ALLOW: '' });
    const connector = new WebhookConnector(policy, client);
    for (const scheme of settings.tls === undefined ? ['http', 'https'] : ['https']) {
      for (const host of HOSTS) {
        const config = { url: `${scheme}://${host}:${port}${path}`, secret: 'a signing secret', ...settings };
        const refused = expect.objectContaining({ path: 'url', code: 'url_not_allowed' });
        expect(await connector.check(config)).toContainEqual(refused);
        const tries = [connector.send(EVENT, config, context())];
        if (path === '/in') {
          const batched = { ...config, batch: { maxEvents: 10 } };
          tries.push(connector.sendBatch(batchOf('batch-1'), batched, context()));
        }
        for (const attempt of tries)
          await expect(attempt).rejects.toMatchObject({ errorClass: 'address_not_allowed' });
      }
    }
    expectNobodyReached();
  });

  it('by an address for tokens', async () => {
    const { policy, client, context } = egressWith({ CDP_EGRESS_ALLOW: '' });
    const connector = new WebhookConnector(policy, client);
    for (const host of HOSTS) {
      const config = aTokenConfig(`http://${host}:${port}/token`, 'https://93.184.216.34/in');
      expect(await connector.check(config)).toContainEqual(
        expect.objectContaining({ path: 'auth.tokenUrl', code: 'url_not_allowed' }),
      );
      await expect(connector.send(EVENT, config, context())).rejects.toMatchObject({
        errorClass: 'token_failed',
      });
    }
    expectNobodyReached();
  });

  it('by an endpoint of S3', async () => {
    const { policy, context } = egressWith({ CDP_EGRESS_ALLOW: '' });
    const connector = new S3ExportConnector(policy);
    const keys = { bucket: 'events', accessKeyId: 'key', secretAccessKey: 'secret', forcePathStyle: true };
    for (const host of HOSTS) {
      const config = { ...keys, endpoint: `http://${host}:${port}` };
      expect(await connector.check(config)).toContainEqual(
        expect.objectContaining({ path: 'endpoint', code: 'url_not_allowed' }),
      );
      await expect(connector.sendBatch(batchOf('batch-1'), config, context())).rejects.toMatchObject({
        errorClass: 'address_not_allowed',
      });
    }
    expectNobodyReached();
  });

  it.each([301, 302, 303, 307, 308])('by an answer %i of who may be reached', async (status) => {
    const { policy, client, context } = egressWith({});
    const connector = new WebhookConnector(policy, client);
    const allowed = await Receiver.start();
    const location = `${trap.url}/stolen`;
    allowed.behaviour = (_, response) => void response.writeHead(status, { location }).end();
    try {
      const plain = { url: `${allowed.url}/in`, secret: 'a signing secret' };
      await expect(connector.send(EVENT, plain, context())).rejects.toMatchObject({
        details: { status },
      });
      await expect(
        connector.send(EVENT, aTokenConfig(`${allowed.url}/token`, `${allowed.url}/in`), context()),
      ).rejects.toMatchObject({ errorClass: 'token_failed' });
      const s3 = { bucket: 'events', accessKeyId: 'key', secretAccessKey: 'secret', forcePathStyle: true };
      await expect(
        new S3ExportConnector(policy).sendBatch(
          batchOf('batch-1'),
          { ...s3, endpoint: allowed.url },
          context(),
        ),
      ).rejects.toMatchObject({ errorClass: expect.stringMatching(/^s3_/) });
      expect(allowed.received.length).toBeGreaterThanOrEqual(3);
      expect(trap.received).toEqual([]);
    } finally {
      await allowed.stop();
    }
  });
});

function aTokenConfig(tokenUrl: string, url: string): WebhookConfig {
  const auth = {
    type: 'oauth2ClientCredentials',
    tokenUrl,
    clientId: 'machine',
    clientSecret: 'secret',
  } as const;
  return { url, secret: 'a signing secret', auth };
}
