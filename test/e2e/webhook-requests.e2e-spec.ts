import { createHash } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { aToken } from '../support/a-token';
import { Database } from '../../src/platform/database/database';
import { anEvent } from '../support/an-event';
import type { ApiAnswer } from '../support/api-client';
import { deliver } from '../support/deliver';
import { eventually } from '../support/eventually';
import { IdentityProvider } from '../support/identity-provider';
import { isSignedWith, type ReceivedDelivery } from '../support/receiver';
import { CLIENT_A, PRIVATE_CA } from '../support/tls-files';
import { AUTH, BASIC, GATEWAY_KEY, HEADERS, SECRET, WebhookHarness } from '../support/webhook-harness';

const GRANT = {
  type: 'oauth2ClientCredentials',
  tokenUrl: 'http://127.0.0.1:1/token',
  clientId: 'machine',
  clientSecret: 'machine-secret',
};

/** What a rotation answers. */
interface Rotated {
  readonly secrets: { readonly secret: string };
}

describe('requests as a receiver asks for them', () => {
  const harness = WebhookHarness.forSuite();

  it('are a signed POST when nothing is asked for', async () => {
    const { id } = await harness.aDestination();
    const request = await harness.sentTo(id);
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
    const { id } = await harness.aDestination({ method });
    expect(await harness.sentTo(id)).toMatchObject({ method });
  });

  it('have the headers that were given, as they were given', async () => {
    const { id } = await harness.aDestination({ headers: { ...HEADERS, 'User-Agent': 'shop/1' } });
    const { headers, body } = await harness.sentTo(id);
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
    const { id } = await harness.aDestination({ auth });
    expect((await harness.sentTo(id)).headers).toMatchObject(expected);
  });

  it('have a token that was asked for, with a secret that nobody else gets to see', async () => {
    const provider = await IdentityProvider.start('https://receiver.example.com');
    try {
      const auth = { ...GRANT, tokenUrl: `${provider.issuer}/token`, scope: 'cdp:read' };
      const { id, config } = await harness.aDestination({ auth });
      expect(config).toMatchObject({
        auth: { clientId: 'machine', clientSecret: expect.stringMatching(/^\*+/) },
      });
      expect((await harness.sentTo(id)).headers.authorization).toMatch(/^Bearer \S{20,}$/);
      const { clientSecret: _, ...kept } = auth;
      expect((await harness.put(id, { auth: kept })).status).toBe(200);
      expect((await harness.sentTo(id)).headers.authorization).toMatch(/^Bearer \S{20,}$/);
      const elsewhere = await harness.put(id, {
        auth: { ...kept, tokenUrl: `${harness.stranger.url}/token` },
      });
      expect(elsewhere).toMatchObject({
        status: 400,
        body: { errors: [{ path: 'config.auth.clientSecret', code: 'secret_needed' }] },
      });
      expect(harness.stranger.received).toEqual([]);
    } finally {
      await provider.stop();
    }
  });

  it('have the signature in the header that was chosen, and no other', async () => {
    const { id } = await harness.aDestination({ signatureHeader: 'X-Hub-Signature-256' });
    const { headers, body } = await harness.sentTo(id);
    expect(headers['x-service-signature']).toBeUndefined();
    const renamed = { headers: { 'x-service-signature': headers['x-hub-signature-256'] }, body };
    expect(isSignedWith(SECRET, renamed as unknown as ReceivedDelivery)).toBe(true);
  });

  it('follow a change at once', async () => {
    const { id } = await harness.aDestination({ headers: HEADERS, auth: AUTH, method: 'PUT' });
    await harness.sentTo(id);
    await harness.put(id, { headers: { 'X-Gateway-Key': 'another-key' } });
    const { method, headers } = await harness.sentTo(id);
    expect({ method, key: headers['x-gateway-key'] }).toEqual({ method: 'POST', key: 'another-key' });
    expect(headers).not.toHaveProperty(['x.tenant']);
    expect(headers).not.toHaveProperty('authorization');
  });

  it('are signed with the old secret as well while a rotation is under way, whatever else is changed', async () => {
    const { id } = await harness.aDestination({ headers: HEADERS });
    await harness.api.post(`/destinations/${id}/rotate-secret`);
    const signaturesOf = async (): Promise<number> =>
      new Set(String((await harness.sentTo(id)).headers['webhook-signature']).split(' ')).size;
    expect(await signaturesOf()).toBe(2);
    await harness.put(id, { secret: undefined, headers: { 'X-New': 'new' } });
    expect(await signaturesOf()).toBe(2);
  });

  it('are signed with each secret that has not ended, up to a number of them', async () => {
    const { id } = await harness.aDestination();
    const secrets = [SECRET];
    const rotate = (overlapSeconds: number): Promise<ApiAnswer<Rotated>> =>
      harness.api.post(`/destinations/${id}/rotate-secret`, { overlapSeconds });
    const expectSignedWith = async (...good: string[]): Promise<void> => {
      const request = await harness.sentTo(id);
      expect(isSignedWith(good[0]!, request)).toBe(true);
      const signedAt = new Date(Number(request.headers['webhook-timestamp']) * 1_000);
      const signatures = good.map((secret) =>
        new Webhook(secret, secret === SECRET ? { format: 'raw' } : {}).sign(
          request.id,
          signedAt,
          request.body,
        ),
      );
      expect(request.headers['webhook-signature']).toBe(signatures.join(' '));
    };
    for (const overlapSeconds of [3_600, 7_200, 60, 3_600]) {
      await expectSignedWith(...secrets);
      secrets.unshift((await rotate(overlapSeconds)).body.secrets.secret);
    }
    await expectSignedWith(...secrets);
    expect(await rotate(60)).toMatchObject({ status: 409, body: { code: 'too_many_secrets' } });
    expect(await harness.put(id, { secret: 'another-signing-secret' })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'config.secret', code: 'too_many_secrets' }] },
    });
    expect(await harness.put(id, { secret: undefined, method: 'PUT' })).toMatchObject({ status: 200 });
    // The one that was replaced last has ended, which makes room.
    const database = harness.service.app.get(Database);
    await database.query('update destination set previous_secrets_until = now() where id = $1', [id]);
    await database.query('update destination_change set version = version + 1');
    secrets.splice(1, 1);
    await expectSignedWith(...secrets);
    secrets.unshift((await rotate(60)).body.secrets.secret);
    await expectSignedWith(...secrets);
    secrets.unshift((await rotate(0)).body.secrets.secret);
    await expectSignedWith(secrets[0]!);
  });

  it.each<[string, object, string, string]>([
    ['an unknown envelope', { envelope: 'soap' }, 'config.envelope', 'is_in'],
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
    ['certificates for an address without TLS', { tls: { ca: PRIVATE_CA } }, 'config.tls', 'invalid_tls'],
    ['certificates as text', { tls: PRIVATE_CA }, 'config.tls', 'is_object'],
    [
      'a certificate without its key',
      { url: 'https://127.0.0.1/', tls: { cert: CLIENT_A.cert } },
      'config.tls.key',
      'invalid_tls',
    ],
    [
      'a host that events choose',
      { url: 'https://{userId}.example.com/' },
      'config.url',
      'invalid_path_template',
    ],
    [
      'a query that events choose',
      { url: 'https://example.com/?a={userId}' },
      'config.url',
      'invalid_path_template',
    ],
    ['what there is not', { proxy: 'http://a' }, 'config.proxy', 'unknown_field'],
  ])('cannot have %s', (_, members, path, code) => harness.expectRefused(members, { path, code }));

  it.each(['constructor', 'toString', 'hasOwnProperty', '__proto__'])(
    'never have a header %s that was not judged',
    async (name) => {
      const config = JSON.stringify(harness.configOf()).replace(
        /}$/,
        `, "headers": {"${name}": "a\\r\\nHost: b"}}`,
      );
      const answer = await fetch(`${harness.service.url}/destinations`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${await aToken(harness.service)}`,
        },
        body: `{"name": "Inherited ${name}", "type": "webhook", "config": ${config}}`,
      });
      const { config: stored = {} } = (await answer.json()) as { config?: { headers?: object } };
      expect([400, 201]).toContain(answer.status);
      expect(Object.keys(stored.headers ?? {})).toEqual([]);
    },
  );

  it('have a path of the event as it is sent, and are given up where it has none', async () => {
    const hash = [{ path: 'userId', method: 'sha256' }];
    const url = `${harness.receiver.url}/people/{userId}/{properties.order}?x=1`;
    const { id } = await harness.aDestination({ url }, { mapping: { hash } });
    const lacking = Array.from({ length: 30 }, () => anEvent({ userId: 'ada' }));
    await deliver(harness.service, lacking);
    await eventually(async () => {
      const { body } = await harness.api.get(`/destinations/${id}/deliveries?state=dead`);
      expect(body).toHaveLength(30);
    });
    await deliver(harness.service, [anEvent({ userId: 'ada', properties: { order: '../7' } })]);
    await deliver(harness.service, [anEvent({ userId: 'ada', properties: { order: 'é 7' } })]);
    await eventually(() => expect(harness.receiver.received).toHaveLength(1));
    const [request] = harness.receiver.received;
    const path = `/people/${createHash('sha256').update('ada').digest('hex')}/%C3%A9%207?x=1`;
    expect(request?.path).toBe(path);
    const { body: delivery } = await harness.api.get(`/deliveries/${request?.id}`);
    expect(delivery.request).toMatchObject({ url: harness.receiver.url + path });

    const refused = await eventually(async () => {
      const { body: dead } = await harness.api.get(`/destinations/${id}/deliveries?state=dead`);
      const found = dead.filter(
        ({ errorClass }: { errorClass: string }) => errorClass === 'path_value_refused',
      );
      expect(found).toMatchObject([{ attempts: 1 }]);
      return found;
    });
    const { body: shown } = await harness.api.get(`/deliveries/${refused[0].id}`);
    expect(shown.request).toMatchObject({ problem: 'path_value_refused', url: null });
    const { body: stats } = await harness.api.get(`/destinations/${id}/stats`);
    expect(stats.health).not.toMatchObject({ state: 'down' });
  });

  it('are CloudEvents where they are asked for, by each way to a first try and at the next one', async () => {
    const { id } = await harness.aDestination(
      { envelope: 'cloudevents' },
      { mapping: { drop: ['messageId', 'type', 'context'] }, notices: ['delete'] },
    );
    const { body: source } = await harness.api.post('/sources', { name: 'Shop' });
    const properties = '{"order":9007199254740993,"total":1.50}';
    const send = (): Promise<Response> =>
      fetch(`${harness.service.url}/v1/track`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Basic ${Buffer.from(`${source.writeKey}:`).toString('base64')}`,
        },
        body: `{"userId":"ada","event":"Ordered","properties":${properties}}`,
      });
    harness.receiver.answer(503);
    expect((await send()).status).toBe(200);
    const [failed] = await eventually(async () => {
      const { body } = await harness.api.get(`/destinations/${id}/deliveries?state=dead`);
      expect(body).toHaveLength(1);
      return body as { id: string }[];
    });
    harness.receiver.answer(200);
    await harness.api.post(`/deliveries/${failed!.id}/retry`);
    await eventually(() => expect(harness.receiver.received).toHaveLength(2));
    const [first, again] = harness.receiver.received;
    expect(again).toMatchObject({ id: failed!.id, body: first!.body });
    expect(isSignedWith(SECRET, first!)).toBe(true);
    expect(first!.headers['content-type']).toBe('application/cloudevents+json');
    expect(first!.body).toContain(`"properties":${properties}`);
    expect(JSON.parse(first!.body)).toMatchObject({
      specversion: '1.0',
      id: failed!.id,
      source: `/sources/${source.id}`,
      type: 'internal.cdp.track',
      subject: 'ada',
      time: expect.stringMatching(/^2/),
      data: { userId: 'ada', event: 'Ordered' },
    });
    expect(JSON.parse(first!.body).data).not.toHaveProperty('messageId');
    const { body: delivery } = await harness.api.get(`/deliveries/${failed!.id}`);
    expect(delivery.request).toMatchObject({
      headers: { 'Content-Type': 'application/cloudevents+json' },
      body: first!.body,
    });

    await harness.api.delete('/profiles/ada');
    const notice = await eventually(() => {
      const [, , told] = harness.receiver.received;
      expect(told).toBeDefined();
      return JSON.parse(told!.body) as object;
    });
    expect(notice).toMatchObject({ source: '/service', type: 'internal.cdp.delete', subject: 'ada' });
  });

  it('are described by the connector, with their secrets marked', async () => {
    const { body } = await harness.api.get('/connectors');
    const { secretFields, configSchema } = body.find(({ id }: { id: string }) => id === 'webhook');
    expect(secretFields).toEqual([
      'secret',
      'headers.*',
      'auth.password',
      'auth.token',
      'auth.value',
      'auth.clientSecret',
      'tls.key',
    ]);
    const { method, headers, auth, signatureHeader, tls } = configSchema.properties;
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
    expect(tls.properties.key).toMatchObject({ writeOnly: true, maxLength: 16_384 });
    expect(tls.properties.cert.writeOnly).toBeUndefined();
  });
});
