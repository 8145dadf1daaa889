import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { eventually } from '../../../test/support/eventually';
import { IdentityProvider } from '../../../test/support/identity-provider';
import { type ReceivedDelivery, Receiver } from '../../../test/support/receiver';
import { Config } from '../../platform/config/config';
import type { Answer } from '../connector';
import type { ConnectorContext } from '../connector-context';
import { EgressHttp } from '../egress/egress-http';
import { EgressPolicy } from '../egress/egress-policy';
import { EgressProxy } from '../egress/egress-proxy';
import { HttpClient } from '../egress/http-client';
import type { OAuth2ClientCredentials } from './webhook-auth';
import type { WebhookConfig } from './webhook-config';
import { WebhookConnector } from './webhook.connector';

const AUDIENCE = 'https://receiver.example.com';

/** A token address that says what a test wants. */
class TokenServer {
  asked = 0;
  last = { authorization: '', body: '' };
  behaviour: (response: ServerResponse) => void = (response) => this.give(response, `token-${this.asked}`);

  private constructor(private readonly server: Server) {}

  static async start(): Promise<TokenServer> {
    const server = createServer((request, response) => void tokens.take(request, response));
    const tokens = new TokenServer(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return tokens;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/token`;
  }

  give(response: ServerResponse, token: string, expiresIn: number | undefined = 3_600): void {
    this.answer(response, 200, { access_token: token, token_type: 'Bearer', expires_in: expiresIn });
  }

  answer(response: ServerResponse, status: number, body: unknown): void {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.asked += 1;
    this.last = { authorization: request.headers.authorization ?? '', body: await text(request) };
    this.behaviour(response);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

describe('webhooks with a token by OAuth 2.0 client credentials', () => {
  const config = Config.from({});
  const policy = new EgressPolicy(config);
  const proxy = new EgressProxy(config);
  let client: HttpClient;
  let connector: WebhookConnector;
  let receiver: Receiver;
  let tokens: TokenServer;
  let deliveries = 0;
  const clock = performance.now.bind(performance);
  let passed = 0;

  beforeEach(async () => {
    passed = 0;
    client = new HttpClient(policy, proxy);
    connector = new WebhookConnector(policy, client);
    receiver = await Receiver.start();
    tokens = await TokenServer.start();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await client.onModuleDestroy();
    await receiver.stop();
    await tokens.stop();
  });

  function aConfig(grant: Partial<OAuth2ClientCredentials> = {}): WebhookConfig {
    const own = { type: 'oauth2ClientCredentials', tokenUrl: tokens.url } as const;
    const auth = { ...own, clientId: 'machine', clientSecret: 'machine-secret', ...grant };
    return { url: `${receiver.url}/hook`, secret: 'a secret of ours', auth };
  }

  function send(config: WebhookConfig, timeoutMs = 5_000): Promise<Answer> {
    const attempt = { destinationId: 'd1', deadline: performance.now() + timeoutMs };
    const egress = new EgressHttp(policy, client, proxy);
    const http: ConnectorContext['http'] = { request: (request) => egress.request(request, attempt) };
    const context = { ...attempt, http } as ConnectorContext;
    return connector.send(
      { deliveryId: `delivery-${(deliveries += 1)}`, eventType: 'track', body: '{}' },
      config,
      context,
    );
  }

  function aMinuteLater(): void {
    const minutes = (passed += 1);
    jest.spyOn(performance, 'now').mockImplementation(() => clock() + minutes * 60_000);
  }

  const sentTokens = (): (string | undefined)[] =>
    receiver.received.map(({ headers }) => headers.authorization);

  it('takes a token of a real provider, for its scope and audience', async () => {
    const provider = await IdentityProvider.start(AUDIENCE);
    try {
      const tokenUrl = `${provider.issuer}/token`;
      await send(aConfig({ tokenUrl, scope: 'cdp:read' }));
      expect(sentTokens()).toEqual([expect.stringMatching(/^Bearer \S{20,}$/)]);
      await expect(send(aConfig({ tokenUrl, clientSecret: 'another' }))).rejects.toMatchObject({
        errorClass: 'token_failed',
        details: { excerpt: expect.stringMatching(/answered 40\d/) },
      });
      expect(receiver.received).toHaveLength(1);
    } finally {
      await provider.stop();
    }
  });

  it('asks with Basic credentials, as the RFC encodes them, and with scope and audience', async () => {
    await send(aConfig({ clientId: 'a client', clientSecret: 'p:ä&ss', scope: 'a b', audience: AUDIENCE }));
    const form = { grant_type: 'client_credentials', scope: 'a b', audience: AUDIENCE };
    expect(Object.fromEntries(new URLSearchParams(tokens.last.body))).toEqual(form);
    const credentials = tokens.last.authorization.slice('Basic '.length);
    const [id, secret] = Buffer.from(credentials, 'base64').toString().split(':');
    const decoded = [id, secret].map((part) => decodeURIComponent(part!.replaceAll('+', '%20')));
    expect(decoded).toEqual(['a client', 'p:ä&ss']);
  });

  it('asks once for all tries that wait, and keeps the token', async () => {
    const config = aConfig();
    await Promise.all(Array.from({ length: 50 }, () => send(config)));
    await send(config);
    expect(tokens.asked).toBe(1);
    expect(new Set(sentTokens())).toEqual(new Set(['Bearer token-1']));
  });

  it('renews a token before it ends', async () => {
    const config = aConfig();
    tokens.behaviour = (response) => tokens.give(response, `token-${tokens.asked}`, 0);
    await send(config);
    await send(config);
    expect(sentTokens()).toEqual(['Bearer token-1', 'Bearer token-2']);
  });

  it('goes on with a token that is still good while another is asked for in vain', async () => {
    const config = aConfig();
    tokens.behaviour = (response) => tokens.give(response, `token-${tokens.asked}`, 130);
    await send(config);
    aMinuteLater();
    aMinuteLater();
    tokens.behaviour = (response) => tokens.answer(response, 503, {});
    expect(await send(config)).toMatchObject({ status: 200 });
    await eventually(() => expect(tokens.asked).toBe(2));
    aMinuteLater();
    await expect(send(config)).rejects.toMatchObject({ errorClass: 'token_failed' });
    expect(sentTokens()).toEqual(['Bearer token-1', 'Bearer token-1']);
  });

  it('takes another token once when an old one is refused, and none when a young one is', async () => {
    const config = aConfig();
    await send(config);
    receiver.behaviour = (delivery, response) =>
      response.writeHead(delivery.headers.authorization === 'Bearer token-1' ? 401 : 200).end();
    await expect(send(config)).rejects.toMatchObject({
      errorClass: 'unauthorized',
      details: { status: 401 },
    });
    expect(tokens.asked).toBe(1);
    aMinuteLater();
    expect(await send(config)).toMatchObject({ status: 200 });
    expect(sentTokens()).toEqual(['Bearer token-1', 'Bearer token-1', 'Bearer token-1', 'Bearer token-2']);
    // One that refuses all of them is asked no more than twice.
    receiver.answer(401);
    aMinuteLater();
    await expect(send(config)).rejects.toMatchObject({ details: { status: 401 } });
    expect(tokens.asked).toBe(3);
  });

  it('takes one other token for all tries that were refused with the old one', async () => {
    const config = aConfig();
    await send(config);
    aMinuteLater();
    const refused = ({ headers }: ReceivedDelivery): boolean => headers.authorization === 'Bearer token-1';
    let waiting: ServerResponse[] = [];
    receiver.behaviour = (delivery, response) => {
      if (!refused(delivery)) return response.end();
      // Until all of them are under way.
      waiting.push(response);
      if (waiting.length < 20) return undefined;
      for (const one of waiting) one.writeHead(401).end();
      waiting = [];
      return undefined;
    };
    await Promise.all(Array.from({ length: 20 }, () => send(config)));
    expect(tokens.asked).toBe(2);
  });

  it('does not keep what failed', async () => {
    const config = aConfig();
    tokens.behaviour = (response) => tokens.answer(response, 503, {});
    await expect(send(config)).rejects.toMatchObject({
      errorClass: 'token_failed',
      details: { excerpt: 'The token address answered 503.' },
    });
    tokens.behaviour = (response) => tokens.give(response, 'good');
    await send(config);
    expect(sentTokens()).toEqual(['Bearer good']);
  });

  it('says nothing of a secret that the token address repeats', async () => {
    const clientSecret = 'correct_horse_battery';
    tokens.behaviour = (response) =>
      tokens.answer(response, 400, { error: clientSecret, error_description: clientSecret });
    const error = await send(aConfig({ clientSecret })).catch((failure: unknown) => failure);
    expect(JSON.stringify(error)).not.toContain(clientSecret);
    expect(error).toMatchObject({ errorClass: 'token_failed' });
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['a redirect', (response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end()],
    ['no JSON', (response) => response.writeHead(200).end('token')],
    ['no token', (response) => tokens.answer(response, 200, { token_type: 'Bearer' })],
    ['a token that breaks out of its header', (response) => tokens.give(response, 'a\r\nx: y')],
    ['nothing', () => undefined],
  ])('sends nothing when the token address answers %s', async (_what, behaviour) => {
    tokens.behaviour = behaviour;
    await expect(send(aConfig(), 500)).rejects.toMatchObject({ errorClass: 'token_failed' });
    expect(receiver.received).toEqual([]);
  });

  it.each(['http://169.254.169.254/token', 'http://[::ffff:169.254.169.254]/token'])(
    'does not ask %s',
    async (tokenUrl) => {
      await expect(send(aConfig({ tokenUrl }))).rejects.toMatchObject({
        errorClass: 'token_failed',
        details: { excerpt: expect.stringContaining('address_not_allowed') },
      });
      expect(await connector.check(aConfig({ tokenUrl }))).toMatchObject([
        { path: 'auth.tokenUrl', code: 'url_not_allowed' },
      ]);
    },
  );
});
