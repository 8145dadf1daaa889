import { spawnSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { ConnectProxy } from '../../../test/support/connect-proxy';
import { OpensslServer } from '../../../test/support/openssl-server';
import { eventually } from '../../../test/support/eventually';
import { Receiver } from '../../../test/support/receiver';
import {
  CLIENT_A,
  CLIENT_B,
  MUTUAL_RECEIVER,
  PRIVATE_CA,
  PRIVATE_RECEIVER,
  tlsFile,
} from '../../../test/support/tls-files';
import { Config } from '../../platform/config/config';
import type { Answer } from '../connector';
import type { ConnectorContext, TlsMaterial } from '../connector-context';
import type { RetryableDeliveryError } from '../delivery-error';
import { EgressHttp } from '../egress/egress-http';
import { EgressPolicy } from '../egress/egress-policy';
import { EgressProxy } from '../egress/egress-proxy';
import { HttpClient } from '../egress/http-client';
import type { WebhookAuth } from './webhook-auth';
import { WebhookConnector } from './webhook.connector';

interface Sent {
  readonly tls?: TlsMaterial;
  readonly destinationId?: string;
  readonly auth?: WebhookAuth;
}

describe.each(['directly', 'through a proxy'])('webhooks with TLS of their own, %s', (way) => {
  let proxy: ConnectProxy;
  let client: HttpClient;
  let egress: EgressHttp;
  let connector: WebhookConnector;
  let receivers: Receiver[];

  beforeEach(async () => {
    proxy = await ConnectProxy.start();
    const config = Config.from(way === 'directly' ? {} : { CDP_EGRESS_PROXY: proxy.url });
    const policy = new EgressPolicy(config);
    const egressProxy = new EgressProxy(config);
    client = new HttpClient(policy, egressProxy);
    egress = new EgressHttp(policy, client, egressProxy);
    connector = new WebhookConnector(policy, client);
    receivers = [];
  });
  afterEach(async () => {
    await client.onModuleDestroy();
    await Promise.all(receivers.map((receiver) => receiver.stop()));
    const tunnels = proxy.asked.length;
    await proxy.stop();
    expect(tunnels > 0).toBe(way !== 'directly');
  });

  async function aReceiver(options: object): Promise<Receiver> {
    const receiver = await Receiver.start(0, options);
    receivers.push(receiver);
    return receiver;
  }

  async function send(
    { url }: Pick<Receiver, 'url'>,
    { tls, destinationId = 'd1', auth }: Sent = {},
  ): Promise<Answer> {
    const attempt = { destinationId, deadline: performance.now() + 5_000 };
    const http = {
      request: (request: Parameters<EgressHttp['request']>[0]) => egress.request(request, attempt),
    };
    const config = {
      url: `${url}/in`,
      secret: 'a-signing-secret',
      ...(tls && { tls }),
      ...(auth && { auth }),
    };
    const answer = await connector.send(
      { deliveryId: 'delivery-1', eventType: 'track', body: '{}' },
      config,
      {
        ...attempt,
        http,
      } as ConnectorContext,
    );
    await delay(1); // The connection is free again a moment after the answer.
    return answer;
  }

  it('trust the authority that they were given, and no other', async () => {
    const receiver = await aReceiver(PRIVATE_RECEIVER);
    await expect(send(receiver)).rejects.toMatchObject({ errorClass: 'tls_failed' });
    await expect(send(receiver, { tls: { ca: tlsFile('localhost.crt') } })).rejects.toMatchObject({
      errorClass: 'tls_failed',
    });
    expect(await send(receiver, { tls: { ca: tlsFile('localhost.crt') + PRIVATE_CA } })).toMatchObject({
      status: 200,
    });
    expect(receiver.received).toHaveLength(1);
  });

  it('show the certificate that they were given', async () => {
    const receiver = await aReceiver(MUTUAL_RECEIVER);
    expect(await send(receiver, { tls: { ca: PRIVATE_CA, ...CLIENT_A } })).toMatchObject({ status: 200 });
    expect(receiver.received).toMatchObject([{ client: 'client-a' }]);
  });

  // By TLS 1.3 it may have hung up before it is heard.
  const itWithOpenssl = spawnSync('openssl', ['version']).status === 0 ? it : it.skip;
  itWithOpenssl.each<[string, string[]]>([
    ['-tls1_2', ['client_certificate_refused']],
    ['-tls1_3', ['client_certificate_refused', 'connection_closed']],
  ])(
    'say so when a receiver wants another certificate, by %s (skipped without openssl on the PATH)',
    async (version, errorClasses) => {
      const server = await OpensslServer.start(version);
      try {
        const sent = send(server, { tls: { ca: PRIVATE_CA, ...CLIENT_A } });
        const error: unknown = await sent.catch((failure: unknown) => failure);
        expect(errorClasses).toContain((error as RetryableDeliveryError).errorClass);
        expect(JSON.stringify(error)).not.toMatch(/BEGIN|openssl/i);
      } finally {
        await server.stop();
      }
    },
  );

  it.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'share neither connections nor sessions with what has other certificates, by %s',
    async (maxVersion) => {
      const receiver = await aReceiver({ ...MUTUAL_RECEIVER, rejectUnauthorized: false, maxVersion });
      const tls = { ca: PRIVATE_CA };
      for (let round = 0; round < 3; round += 1) {
        await send(receiver, { destinationId: 'd1', tls: { ...tls, ...CLIENT_A } });
        await send(receiver, { destinationId: 'd2', tls: { ...tls, ...CLIENT_B } });
        await send(receiver, { destinationId: 'd3', tls });
        await expect(send(receiver, { destinationId: 'd4' })).rejects.toMatchObject({
          errorClass: 'tls_failed',
        });
      }
      const clients = receiver.received.map(({ client: shown }) => shown);
      expect(clients).toEqual([1, 2, 3].flatMap(() => ['client-a', 'client-b', undefined]));
      await eventually(async () => expect(await receiver.connections()).toBe(3));
    },
  );

  it('use no connection again after their certificates were changed', async () => {
    const receiver = await aReceiver({ ...MUTUAL_RECEIVER, rejectUnauthorized: false });
    const tls = { ca: PRIVATE_CA };
    for (const material of [CLIENT_A, CLIENT_A, CLIENT_B, {}, CLIENT_A])
      await send(receiver, { tls: { ...tls, ...material } });
    const clients = receiver.received.map(({ client: shown }) => shown);
    expect(clients).toEqual(['client-a', 'client-a', 'client-b', undefined, 'client-a']);
    await eventually(async () => expect(await receiver.connections()).toBe(1));
  });

  it('show a token address their certificate when it is of the same origin alone', async () => {
    const [receiver, stranger] = [await aReceiver(MUTUAL_RECEIVER), await aReceiver(MUTUAL_RECEIVER)];
    const answerWithToken: Receiver['behaviour'] = ({ path }, response) =>
      response
        .setHeader('content-type', 'application/json')
        .end(path === '/token' ? '{"access_token":"a-token","token_type":"bearer"}' : 'ok');
    receiver.behaviour = stranger.behaviour = answerWithToken;
    const authOf = ({ url }: Receiver): WebhookAuth => ({
      type: 'oauth2ClientCredentials',
      tokenUrl: `${url}/token`,
      clientId: 'cdp',
      clientSecret: 'a-secret-of-the-client',
    });
    const tls = { ca: PRIVATE_CA, ...CLIENT_A };
    expect(await send(receiver, { tls, auth: authOf(receiver) })).toMatchObject({ status: 200 });
    expect(receiver.received).toMatchObject([
      { path: '/token', client: 'client-a' },
      { path: '/in', client: 'client-a', headers: { authorization: 'Bearer a-token' } },
    ]);
    await expect(send(receiver, { tls, auth: authOf(stranger) })).rejects.toMatchObject({
      errorClass: 'token_failed',
      details: { excerpt: 'The token address could not be asked: tls_failed.' },
    });
    expect(stranger.received).toEqual([]);
  });
});
