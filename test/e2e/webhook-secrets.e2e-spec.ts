import { anEvent } from '../support/an-event';
import { deliver, ledgerOf } from '../support/deliver';
import { dumpOf } from '../support/dump-of';
import { eventually } from '../support/eventually';
import { isSignedWith, Receiver } from '../support/receiver';
import { CLIENT_A, CLIENT_B, MUTUAL_RECEIVER, PRIVATE_CA } from '../support/tls-files';
import {
  AUTH,
  BASIC,
  GATEWAY_KEY,
  HEADERS,
  PASSWORD,
  SECRET,
  WebhookHarness,
} from '../support/webhook-harness';

describe('secrets of a webhook', () => {
  const harness = WebhookHarness.forSuite();

  it('keep secrets that are sent back as masks, and drop headers that are left out', async () => {
    const { id } = await harness.aDestination({ headers: HEADERS, auth: AUTH });
    const shown = (await harness.api.get(`/destinations/${id}`)).body.config;
    expect(shown).toEqual({
      url: `${harness.receiver.url}/in`,
      secret: '****0000',
      headers: { 'X-Gateway-Key': '****1111', 'X.Tenant': '****' },
      auth: { type: 'basic', username: 'ada', password: '****2222' },
    });
    const moved = await harness.api.put(`/destinations/${id}`, {
      config: { ...shown, url: `${harness.receiver.url}/2` },
    });
    expect(moved).toMatchObject({
      status: 200,
      body: { config: { ...shown, url: `${harness.receiver.url}/2` } },
    });
    expect((await harness.sentTo(id)).headers).toMatchObject({
      'x-gateway-key': GATEWAY_KEY,
      'x.tenant': 'shöp',
      authorization: `Basic ${BASIC}`,
    });
    const { body } = await harness.put(id, {
      headers: { 'X.Tenant': '****' },
      auth: { type: 'basic', username: 'bob' },
    });
    expect(body.config.headers).toEqual({ 'X.Tenant': '****' });
    const { headers } = await harness.sentTo(id);
    expect(headers).not.toHaveProperty('x-gateway-key');
    expect(headers.authorization).toBe(`Basic ${Buffer.from(`bob:${PASSWORD}`).toString('base64')}`);
    const other = await harness.put(id, { auth: { type: 'bearer' } });
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
      const { id } = await harness.aDestination({ headers: HEADERS, auth: AUTH });
      const port = new URL(harness.receiver.url).port;
      for (const url of [
        harness.stranger.url,
        `${harness.stranger.url}/in`,
        `https://127.0.0.1:${port}/in`,
        `http://localhost:${port}/in`,
        'no url',
      ]) {
        const { status, body } = await harness.put(id, { ...KEPT, url });
        expect(status).toBe(400);
        refused(body);
      }
      expect((await harness.api.get(`/destinations/${id}`)).body).toMatchObject({
        version: 1,
        config: { url: `${harness.receiver.url}/in` },
      });
      await harness.sentTo(id);
      expect(harness.stranger.received).toEqual([]);
    });

    it('never have them by a document of the configuration, tried or applied', async () => {
      const { name } = await harness.aDestination({ headers: HEADERS, auth: AUTH });
      const entry = (members: object): object => ({
        name,
        type: 'webhook',
        config: { url: harness.stranger.url, ...members },
      });
      const references = {
        headers: { 'X-Gateway-Key': '${env:KEY}', 'X.Tenant': '${env:TENANT}' },
        auth: { ...AUTH, password: '${env:PASSWORD}' },
      };
      for (const members of [KEPT, references]) {
        for (const query of ['?dryRun=true', '']) {
          const { status, body } = await harness.api.put(`/config${query}`, {
            version: 1,
            destinations: [entry(members)],
          });
          expect(status).toBe(400);
          refused(body, 'destinations[0].');
        }
      }
      expect(harness.stranger.received).toEqual([]);
    });

    it('have those that were, and the signing secret as it was', async () => {
      const { id } = await harness.aDestination({ headers: HEADERS, auth: AUTH });
      const url = harness.stranger.url;
      expect(
        await harness.put(id, { url, secret: undefined, headers: { 'X-New': 'new-value' } }),
      ).toMatchObject({
        status: 200,
      });
      await harness.api.post(`/destinations/${id}/test`);
      const [request] = harness.stranger.received;
      expect(isSignedWith(SECRET, request!)).toBe(true);
      expect(JSON.stringify(request)).not.toContain(GATEWAY_KEY);
      expect(request?.headers['x-new']).toBe('new-value');
    });
  });

  it('are exported with a reference for each secret, and change nothing when they are applied again', async () => {
    const { id, name } = await harness.aDestination({ headers: HEADERS, auth: AUTH, method: 'PUT' });
    const { body } = await harness.api.get('/config/export');
    const base = `RECEIVER_${harness.names}`;
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
    expect((await harness.api.put('/config', body)).body).toEqual({ changes: [] });
    expect((await harness.sentTo(id)).headers).toMatchObject({
      'x-gateway-key': GATEWAY_KEY,
      authorization: `Basic ${BASIC}`,
    });

    const [entry] = body.destinations;
    entry.config.url = `${harness.receiver.url}/2`;
    entry.config.headers['X-Gateway-Key'] = GATEWAY_KEY.replace('nobody', 'no-one');
    entry.config.headers['X-New'] = '${env:NEW}';
    const unresolved = await harness.api.put('/config', body);
    expect(unresolved.body.errors).toMatchObject([
      { path: 'destinations[0].config.headers.X-New', code: 'unresolved_reference' },
    ]);
    delete entry.config.headers['X-New'];
    const { changes } = (await harness.api.put('/config', body)).body;
    expect(changes).toMatchObject([
      {
        action: 'update',
        fields: [
          { path: 'config.url' },
          { path: 'config.headers.X-Gateway-Key', before: '****', after: '****' },
        ],
      },
    ]);
    expect((await harness.sentTo(id)).headers).toMatchObject({ authorization: `Basic ${BASIC}` });
  });

  it('show their secrets nowhere, not even where a receiver answers with them', async () => {
    harness.receiver.behaviour = ({ headers }, response) =>
      response
        .writeHead(400)
        .end(
          JSON.stringify({ headers, url: encodeURIComponent(PASSWORD), user: PASSWORD, key: [GATEWAY_KEY] }),
        );
    const { id, config } = await harness.aDestination({ headers: HEADERS, auth: AUTH });
    const tested = (await harness.api.post(`/destinations/${id}/test`)).body;
    expect(tested.answer).toContain('"x-gateway-key":"****"');
    await deliver(harness.service, [anEvent()]);
    const [row] = await eventually(async () => {
      const rows = await ledgerOf(harness.service, id);
      expect(rows).toMatchObject([{ state: 'dead' }]);
      return rows;
    });
    const { body: delivery } = await harness.api.get(`/deliveries/${row?.id}`);
    expect(delivery.request).toMatchObject({
      method: 'POST',
      headers: { 'X-Gateway-Key': '****', 'X.Tenant': '****', Authorization: 'Basic ****' },
      problem: null,
    });
    await harness.put(id, {
      headers: { 'X-Gateway-Key': `${GATEWAY_KEY}-2` },
      auth: { type: 'bearer', token: `${GATEWAY_KEY}-3` },
    });
    const rotated = await harness.api.post(`/destinations/${id}/rotate-secret`);
    const metrics = await fetch(`${harness.service.url}/metrics`).then((answer) => answer.text());
    const paths = [
      '/destinations',
      `/destinations/${id}`,
      '/audit',
      '/config/export',
      '/dead-letters',
      `/destinations/${id}/stats`,
      `/destinations/${id}/deliveries`,
    ];
    const shown = await Promise.all(
      paths.map(async (path) => JSON.stringify((await harness.api.get(path)).body)),
    );
    const everything = [
      ...[config, tested, delivery, rotated.body].map((one) => JSON.stringify(one)),
      ...shown,
      metrics,
      await dumpOf(harness.service.databaseUrl),
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

  it('have the key of their certificate sealed, masked, kept and exported as a reference', async () => {
    const receiver = await Receiver.start(0, MUTUAL_RECEIVER);
    try {
      const config = { url: `${receiver.url}/in`, tls: { ca: PRIVATE_CA, ...CLIENT_A } };
      const { id, config: shown } = await harness.aDestination(config);
      expect(shown).toMatchObject({ tls: { ca: PRIVATE_CA, cert: CLIENT_A.cert, key: '****----' } });
      const test = (): Promise<unknown> => harness.api.post(`/destinations/${id}/test`);
      await test();
      await harness.api.put(`/destinations/${id}`, { config: { ...shown, url: `${receiver.url}/2` } });
      await test();
      expect(receiver.received).toMatchObject([
        { path: '/in', client: 'client-a' },
        { path: '/2', client: 'client-a' },
      ]);
      const lacking = await harness.put(id, { ...config, tls: { cert: CLIENT_A.cert } });
      expect(lacking.body.errors).toMatchObject([{ path: 'config.tls.key', code: 'invalid_tls' }]);
      const url = receiver.url.replace('localhost', '127.0.0.1');
      const elsewhere = await harness.put(id, { ...config, url, tls: { ...config.tls, key: '****----' } });
      expect(elsewhere.body.errors).toMatchObject([{ path: 'config.tls.key', code: 'secret_needed' }]);
      const foreign = await harness.put(id, {
        ...config,
        tls: { ...config.tls, cert: CLIENT_B.cert, key: '****----' },
      });
      expect(foreign.body.errors).toMatchObject([{ path: 'config.tls.cert', code: 'invalid_tls' }]);

      const exported = (await harness.api.get('/config/export')).body;
      const key = `\${env:RECEIVER_${harness.names}_TLS_KEY}`;
      expect(exported.destinations).toMatchObject([{ config: { tls: { cert: CLIENT_A.cert, key } } }]);
      expect((await harness.api.put('/config', exported)).body).toEqual({ changes: [] });
      const audit = JSON.stringify((await harness.api.get('/audit')).body);
      const dump = await dumpOf(harness.service.databaseUrl);
      const [, line = 'none'] = CLIENT_A.key.split('\n');
      for (const text of [audit, dump, JSON.stringify(exported), JSON.stringify(foreign.body)])
        expect(text).not.toContain(line);
      expect(dump).toContain(CLIENT_A.cert.split('\n')[1]);

      await harness.put(id, { ...config, tls: { ca: PRIVATE_CA } });
      expect((await harness.api.get(`/destinations/${id}`)).body.config.tls).toEqual({ ca: PRIVATE_CA });
    } finally {
      await receiver.stop();
    }
  });
});
