import { aToken } from '../support/a-token';
import { anEvent } from '../support/an-event';
import { type ApiAnswer, type ApiClient, anApiClient } from '../support/api-client';
import { deliver, ledgerOf } from '../support/deliver';
import { dumpOf } from '../support/dump-of';
import { eventually } from '../support/eventually';
import { IdentityProvider } from '../support/identity-provider';
import { isSignedWith, type ReceivedDelivery, Receiver } from '../support/receiver';
import { startTestService, type TestService } from '../support/test-service';

const SECRET = 'a-signing-secret-of-length-0000';
/** Nobody may see these but the receiver. */
const GATEWAY_KEY = 'key-of-the-gateway-nobody-sees-1111';
const PASSWORD = 'pass"word & of nobody 2222';
const BASIC = Buffer.from(`ada:${PASSWORD}`).toString('base64');

const HEADERS = { 'X-Gateway-Key': GATEWAY_KEY, 'X.Tenant': 'shöp' };
const GRANT = {
  type: 'oauth2ClientCredentials',
  tokenUrl: 'http://127.0.0.1:1/token',
  clientId: 'machine',
  clientSecret: 'machine-secret',
};
const AUTH = { type: 'basic', username: 'ada', password: PASSWORD };

describe('requests as a receiver asks for them', () => {
  let service: TestService;
  let receiver: Receiver;
  let stranger: Receiver;
  let api: ApiClient;
  let names = 0;

  beforeAll(async () => {
    service = await startTestService({
      env: { CDP_DELIVERY_BACKOFF_MS: '20', CDP_DELIVERY_MAX_ATTEMPTS: '1' },
    });
    api = await anApiClient(service);
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    receiver = await Receiver.start();
    stranger = await Receiver.start();
  });
  afterEach(async () => {
    for (const { id } of (await api.get('/destinations')).body) await api.delete(`/destinations/${id}`);
    await receiver.stop();
    await stranger.stop();
  });

  const configOf = (members: object = {}): object => ({
    url: `${receiver.url}/in`,
    secret: SECRET,
    ...members,
  });

  async function aDestination(members: object = {}): Promise<{ id: string; name: string; config: object }> {
    const given = { name: `Receiver ${++names}`, type: 'webhook', config: configOf(members) };
    const { status, body } = await api.post('/destinations', given);
    expect({ status, errors: body.errors }).toEqual({ status: 201, errors: undefined });
    return body;
  }

  /** What comes of a test, which sends as deliveries do. */
  async function sentTo(id: string): Promise<ReceivedDelivery> {
    receiver.received.length = 0;
    expect((await api.post(`/destinations/${id}/test`)).body).toMatchObject({ delivered: true });
    expect(receiver.received).toHaveLength(1);
    return receiver.received[0]!;
  }

  const put = (
    id: string,
    members: object,
  ): Promise<ApiAnswer<{ errors?: unknown; config: { headers?: object } }>> =>
    api.put(`/destinations/${id}`, { config: configOf(members) });

  it('are a signed POST when nothing is asked for', async () => {
    const { id } = await aDestination();
    const request = await sentTo(id);
    expect(request.method).toBe('POST');
    expect(isSignedWith(SECRET, request)).toBe(true);
    expect(Object.keys(request.headers).toSorted()).toEqual([
      'connection',
      'content-length',
      'content-type',
      'host',
      'user-agent',
      'webhook-id',
      'webhook-signature',
      'webhook-timestamp',
      'x-service-signature',
    ]);
  });

  it.each(['POST', 'PUT', 'PATCH'])('are sent by %s', async (method) => {
    const { id } = await aDestination({ method });
    expect(await sentTo(id)).toMatchObject({ method });
  });

  it('have the headers that were given, as they were given', async () => {
    const { id } = await aDestination({ headers: { ...HEADERS, 'User-Agent': 'shop/1' } });
    const { headers, body } = await sentTo(id);
    expect(headers).toMatchObject({
      'x-gateway-key': GATEWAY_KEY,
      'x.tenant': 'shöp',
      'user-agent': 'shop/1',
      'content-type': 'application/json',
    });
    expect(JSON.parse(body)).toMatchObject({ type: 'track' });
  });

  it.each<[object, object]>([
    [AUTH, { authorization: `Basic ${BASIC}` }],
    [{ type: 'bearer', token: 'a-token' }, { authorization: 'Bearer a-token' }],
    [{ type: 'apiKey', header: 'X-Api-Key', value: 'a key' }, { 'x-api-key': 'a key' }],
  ])('say who sends by %j', async (auth, expected) => {
    const { id } = await aDestination({ auth });
    expect((await sentTo(id)).headers).toMatchObject(expected);
  });

  it('have a token that was asked for, with a secret that nobody else gets to see', async () => {
    const provider = await IdentityProvider.start('https://receiver.example.com');
    try {
      const auth = { ...GRANT, tokenUrl: `${provider.issuer}/token`, scope: 'cdp:read' };
      const { id, config } = await aDestination({ auth });
      expect(config).toMatchObject({
        auth: { clientId: 'machine', clientSecret: expect.stringMatching(/^\*+/) },
      });
      expect((await sentTo(id)).headers.authorization).toMatch(/^Bearer \S{20,}$/);
      const { clientSecret: _, ...kept } = auth;
      expect((await put(id, { auth: kept })).status).toBe(200);
      expect((await sentTo(id)).headers.authorization).toMatch(/^Bearer \S{20,}$/);
      const elsewhere = await put(id, { auth: { ...kept, tokenUrl: `${stranger.url}/token` } });
      expect(elsewhere).toMatchObject({
        status: 400,
        body: { errors: [{ path: 'config.auth.clientSecret', code: 'secret_needed' }] },
      });
      expect(stranger.received).toEqual([]);
    } finally {
      await provider.stop();
    }
  });

  it('have the signature in the header that was chosen, and no other', async () => {
    const { id } = await aDestination({ signatureHeader: 'X-Hub-Signature-256' });
    const { headers, body } = await sentTo(id);
    expect(headers['x-service-signature']).toBeUndefined();
    const renamed = { headers: { 'x-service-signature': headers['x-hub-signature-256'] }, body };
    expect(isSignedWith(SECRET, renamed as unknown as ReceivedDelivery)).toBe(true);
  });

  it('follow a change at once', async () => {
    const { id } = await aDestination({ headers: HEADERS, auth: AUTH, method: 'PUT' });
    await sentTo(id);
    await put(id, { headers: { 'X-Gateway-Key': 'another-key' } });
    const { method, headers } = await sentTo(id);
    expect({ method, key: headers['x-gateway-key'] }).toEqual({ method: 'POST', key: 'another-key' });
    expect(headers).not.toHaveProperty(['x.tenant']);
    expect(headers).not.toHaveProperty('authorization');
  });

  it('are signed with the old secret as well while a rotation is under way, whatever else is changed', async () => {
    const { id } = await aDestination({ headers: HEADERS });
    await api.post(`/destinations/${id}/rotate-secret`);
    const signaturesOf = async (): Promise<number> =>
      new Set(String((await sentTo(id)).headers['webhook-signature']).split(' ')).size;
    expect(await signaturesOf()).toBe(2);
    await put(id, { secret: undefined, headers: { 'X-New': 'new' } });
    expect(await signaturesOf()).toBe(2);
  });

  it.each<[string, object, string, string]>([
    ['an unknown method', { method: 'DELETE' }, 'config.method', 'is_in'],
    ['no method', { method: null }, 'config.method', 'is_in'],
    ['headers that are a list', { headers: ['X-A'] }, 'config.headers', 'is_object'],
    ['headers of null', { headers: null }, 'config.headers', 'is_object'],
    ['a header of the connection', { headers: { Host: 'a' } }, 'config.headers.Host', 'header_not_allowed'],
    ['a line end in a value', { headers: { 'X-A': 'a\r\nHost: b' } }, 'config.headers.X-A', 'invalid_header'],
    [
      'a line end in a name',
      { headers: { 'X-A\r\nHost': 'b' } },
      'config.headers.X-A\r\nHost',
      'header_not_allowed',
    ],
    ['a mask', { headers: { 'X-A': '****abcd' } }, 'config.headers.X-A', 'masked_secret'],
    ['a mask in auth', { auth: { type: 'bearer', token: '****' } }, 'config.auth.token', 'masked_secret'],
    ['an unknown auth', { auth: { type: 'oauth1' } }, 'config.auth.type', 'unknown'],
    [
      'a token address that must not be asked',
      { auth: { ...GRANT, tokenUrl: 'http://169.254.169.254/token' } },
      'config.auth.tokenUrl',
      'url_not_allowed',
    ],
    [
      'a grant without its client',
      { auth: { ...GRANT, clientId: undefined } },
      'config.auth.clientId',
      'invalid_auth',
    ],
    ['an empty scope', { auth: { ...GRANT, scope: '' } }, 'config.auth.scope', 'invalid_auth'],
    ['auth as text', { auth: 'basic' }, 'config.auth', 'is_object'],
    ['a name of two words', { signatureHeader: 'X A' }, 'config.signatureHeader', 'header_not_allowed'],
    ['what there is not', { proxy: 'http://a' }, 'config.proxy', 'unknown_field'],
  ])('cannot have %s', async (_, members, path, code) => {
    const given = { name: 'Refused', type: 'webhook', config: configOf(members) };
    const created = await api.post('/destinations', given);
    expect(created.status).toBe(400);
    expect(created.body.errors).toContainEqual(expect.objectContaining({ path, code }));
    const { id } = await aDestination();
    const changed = await put(id, members);
    expect(changed.status).toBe(400);
    expect(changed.body.errors).toContainEqual(expect.objectContaining({ path, code }));
  });

  it.each(['constructor', 'toString', 'hasOwnProperty', '__proto__'])(
    'never have a header %s that was not judged',
    async (name) => {
      const config = JSON.stringify(configOf()).replace(/}$/, `, "headers": {"${name}": "a\\r\\nHost: b"}}`);
      const answer = await fetch(`${service.url}/destinations`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${await aToken(service)}` },
        body: `{"name": "Inherited ${name}", "type": "webhook", "config": ${config}}`,
      });
      const { config: stored = {} } = (await answer.json()) as { config?: { headers?: object } };
      expect([400, 201]).toContain(answer.status);
      expect(Object.keys(stored.headers ?? {})).toEqual([]);
    },
  );

  it('keep secrets that are sent back as masks, and drop headers that are left out', async () => {
    const { id } = await aDestination({ headers: HEADERS, auth: AUTH });
    const shown = (await api.get(`/destinations/${id}`)).body.config;
    expect(shown).toEqual({
      url: `${receiver.url}/in`,
      secret: '****0000',
      headers: { 'X-Gateway-Key': '****1111', 'X.Tenant': '****' },
      auth: { type: 'basic', username: 'ada', password: '****2222' },
    });
    const moved = await api.put(`/destinations/${id}`, { config: { ...shown, url: `${receiver.url}/2` } });
    expect(moved).toMatchObject({ status: 200, body: { config: { ...shown, url: `${receiver.url}/2` } } });
    expect((await sentTo(id)).headers).toMatchObject({
      'x-gateway-key': GATEWAY_KEY,
      'x.tenant': 'shöp',
      authorization: `Basic ${BASIC}`,
    });
    const { body } = await put(id, {
      headers: { 'X.Tenant': '****' },
      auth: { type: 'basic', username: 'bob' },
    });
    expect(body.config.headers).toEqual({ 'X.Tenant': '****' });
    const { headers } = await sentTo(id);
    expect(headers).not.toHaveProperty('x-gateway-key');
    expect(headers.authorization).toBe(`Basic ${Buffer.from(`bob:${PASSWORD}`).toString('base64')}`);
    const other = await put(id, { auth: { type: 'bearer' } });
    expect(other).toMatchObject({ status: 400, body: { errors: [{ path: 'config.auth.token' }] } });
  });

  describe('to another origin', () => {
    const KEPT = {
      headers: { 'X-Gateway-Key': '****1111', 'X.Tenant': '****' },
      auth: { ...AUTH, password: undefined },
    };
    const REFUSED = ['config.headers.X-Gateway-Key', 'config.headers.X.Tenant', 'config.auth.password'];
    const refused = ({ errors }: { errors?: unknown }, above = ''): void =>
      expect(errors).toEqual(
        REFUSED.map((path) =>
          expect.objectContaining({
            path: `${above}${path}`,
            code: 'secret_needed',
            message: expect.stringContaining('give it again'),
          }),
        ),
      );

    it('never have secrets that were not given again', async () => {
      const { id } = await aDestination({ headers: HEADERS, auth: AUTH });
      const port = new URL(receiver.url).port;
      for (const url of [
        stranger.url,
        `${stranger.url}/in`,
        `https://127.0.0.1:${port}/in`,
        `http://localhost:${port}/in`,
        'no url',
      ]) {
        const { status, body } = await put(id, { ...KEPT, url });
        expect(status).toBe(400);
        refused(body);
      }
      expect((await api.get(`/destinations/${id}`)).body).toMatchObject({
        version: 1,
        config: { url: `${receiver.url}/in` },
      });
      await sentTo(id);
      expect(stranger.received).toEqual([]);
    });

    it('never have them by a document of the configuration, tried or applied', async () => {
      const { name } = await aDestination({ headers: HEADERS, auth: AUTH });
      const entry = (members: object): object => ({
        name,
        type: 'webhook',
        config: { url: stranger.url, ...members },
      });
      const references = {
        headers: { 'X-Gateway-Key': '${env:KEY}', 'X.Tenant': '${env:TENANT}' },
        auth: { ...AUTH, password: '${env:PASSWORD}' },
      };
      for (const members of [KEPT, references]) {
        for (const query of ['?dryRun=true', '']) {
          const { status, body } = await api.put(`/config${query}`, {
            version: 1,
            destinations: [entry(members)],
          });
          expect(status).toBe(400);
          refused(body, 'destinations[0].');
        }
      }
      expect(stranger.received).toEqual([]);
    });

    it('have those that were, and the signing secret as it was', async () => {
      const { id } = await aDestination({ headers: HEADERS, auth: AUTH });
      const url = stranger.url;
      expect(await put(id, { url, secret: undefined, headers: { 'X-New': 'new-value' } })).toMatchObject({
        status: 200,
      });
      await api.post(`/destinations/${id}/test`);
      const [request] = stranger.received;
      expect(isSignedWith(SECRET, request!)).toBe(true);
      expect(JSON.stringify(request)).not.toContain(GATEWAY_KEY);
      expect(request?.headers['x-new']).toBe('new-value');
    });
  });

  it('are exported with a reference for each secret, and change nothing when they are applied again', async () => {
    const { id, name } = await aDestination({ headers: HEADERS, auth: AUTH, method: 'PUT' });
    const { body } = await api.get('/config/export');
    const base = `RECEIVER_${names}`;
    expect(body.destinations).toMatchObject([
      {
        name,
        config: {
          method: 'PUT',
          secret: `\${env:${base}_SECRET}`,
          headers: {
            'X-Gateway-Key': `\${env:${base}_HEADERS_X_GATEWAY_KEY}`,
            'X.Tenant': `\${env:${base}_HEADERS_X_TENANT}`,
          },
          auth: { type: 'basic', username: 'ada', password: `\${env:${base}_AUTH_PASSWORD}` },
        },
      },
    ]);
    expect((await api.put('/config', body)).body).toEqual({ changes: [] });
    expect((await sentTo(id)).headers).toMatchObject({
      'x-gateway-key': GATEWAY_KEY,
      authorization: `Basic ${BASIC}`,
    });

    const [entry] = body.destinations;
    entry.config.url = `${receiver.url}/2`;
    entry.config.headers['X-Gateway-Key'] = GATEWAY_KEY.replace('nobody', 'no-one');
    entry.config.headers['X-New'] = '${env:NEW}';
    const unresolved = await api.put('/config', body);
    expect(unresolved.body.errors).toMatchObject([
      { path: 'destinations[0].config.headers.X-New', code: 'unresolved_reference' },
    ]);
    delete entry.config.headers['X-New'];
    const { changes } = (await api.put('/config', body)).body;
    expect(changes).toMatchObject([
      {
        action: 'update',
        fields: [
          { path: 'config.url' },
          { path: 'config.headers.X-Gateway-Key', before: '****', after: '****' },
        ],
      },
    ]);
    expect((await sentTo(id)).headers).toMatchObject({ authorization: `Basic ${BASIC}` });
  });

  it('show their secrets nowhere, not even where a receiver answers with them', async () => {
    receiver.behaviour = ({ headers }, response) =>
      response
        .writeHead(400)
        .end(
          JSON.stringify({ headers, url: encodeURIComponent(PASSWORD), user: PASSWORD, key: [GATEWAY_KEY] }),
        );
    const { id, config } = await aDestination({ headers: HEADERS, auth: AUTH });
    const tested = (await api.post(`/destinations/${id}/test`)).body;
    expect(tested.answer).toContain('"x-gateway-key":"****"');
    await deliver(service, [anEvent()]);
    const [row] = await eventually(async () => {
      const rows = await ledgerOf(service, id);
      expect(rows).toMatchObject([{ state: 'dead' }]);
      return rows;
    });
    const { body: delivery } = await api.get(`/deliveries/${row?.id}`);
    expect(delivery.request).toMatchObject({
      method: 'POST',
      headers: { 'X-Gateway-Key': '****', 'X.Tenant': '****', Authorization: 'Basic ****' },
      problem: null,
    });
    await put(id, {
      headers: { 'X-Gateway-Key': `${GATEWAY_KEY}-2` },
      auth: { type: 'bearer', token: `${GATEWAY_KEY}-3` },
    });
    const rotated = await api.post(`/destinations/${id}/rotate-secret`);
    const metrics = await fetch(`${service.url}/metrics`).then((answer) => answer.text());
    const paths = [
      '/destinations',
      `/destinations/${id}`,
      '/audit',
      '/config/export',
      '/dead-letters',
      `/destinations/${id}/stats`,
      `/destinations/${id}/deliveries`,
    ];
    const shown = await Promise.all(paths.map(async (path) => JSON.stringify((await api.get(path)).body)));
    const everything = [
      ...[config, tested, delivery, rotated.body].map((one) => JSON.stringify(one)),
      ...shown,
      metrics,
      await dumpOf(service.databaseUrl),
    ];
    expect(everything.join()).toContain(id);
    for (const hidden of [
      GATEWAY_KEY,
      PASSWORD,
      BASIC,
      encodeURIComponent(PASSWORD),
      JSON.stringify(PASSWORD).slice(1, -1),
    ]) {
      expect(everything.filter((text) => text.includes(hidden))).toEqual([]);
    }
  });

  it('are described by the connector, with their secrets marked', async () => {
    const { body } = await api.get('/connectors');
    const { secretFields, configSchema } = body.find(({ id }: { id: string }) => id === 'webhook');
    expect(secretFields).toEqual([
      'secret',
      'headers.*',
      'auth.password',
      'auth.token',
      'auth.value',
      'auth.clientSecret',
    ]);
    const { method, headers, auth, signatureHeader } = configSchema.properties;
    expect(configSchema.required).toEqual(['url']);
    expect(method).toMatchObject({ enum: ['POST', 'PUT', 'PATCH'], default: 'POST' });
    expect(headers).toMatchObject({
      additionalProperties: { writeOnly: true },
      maxProperties: 20,
      examples: [expect.anything()],
    });
    expect(auth.oneOf).toMatchObject([
      { properties: { type: { enum: ['basic'] }, username: {}, password: { writeOnly: true } } },
      { properties: { type: { enum: ['bearer'] }, token: { writeOnly: true } } },
      { properties: { type: { enum: ['apiKey'] }, header: {}, value: { writeOnly: true } } },
      {
        properties: { clientSecret: { writeOnly: true }, audience: {} },
        required: ['type', 'tokenUrl', 'clientId', 'clientSecret'],
      },
    ]);
    expect(auth.oneOf[0].properties.username.writeOnly).toBeUndefined();
    expect(signatureHeader).toMatchObject({ default: 'X-Service-Signature' });
  });
});
