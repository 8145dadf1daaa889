import { appRoutes, buildHistoryRoutes } from '@bull-board/api/dist/routes.js';
import { BOARD_ACTIONS } from '../../src/platform/queue-board/board-actions';
import { aToken } from '../support/a-token';
import { anApiClient, ApiClient } from '../support/api-client';
import { buildService } from '../support/built-service';
import { eventually } from '../support/eventually';
import { freePort } from '../support/free-port';
import { queueKinds, startTestService, type TestService } from '../support/test-service';

describe('Swagger UI', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.close());

  it('serves the page, its script and the document without a token', async () => {
    const anonymous = new ApiClient(service.url, {});
    const page = await anonymous.get('/docs');
    expect(page.status).toBe(200);
    expect(page.body).toContain('swagger-ui');
    expect((await anonymous.get('/docs/swagger-ui-init.js')).status).toBe(200);
    expect((await anonymous.get('/docs/swagger-ui-bundle.js')).status).toBe(200);
    expect((await anonymous.get('/openapi.json')).status).toBe(200);
  });

  it('documents every operation: summary, security, success and errors', async () => {
    const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, Record<string, unknown>>>;
    };
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, operation })),
    );
    expect(operations.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['get /sources', 'post /sources', 'put /destinations/{id}']),
    );
    const incomplete = operations.filter(({ operation }) => {
      const responses = Object.keys(operation.responses as object);
      const succeeds = responses.some((status) => status.startsWith('2'));
      return (
        !operation.summary ||
        !operation.tags ||
        !operation.security ||
        !succeeds ||
        !responses.includes('500')
      );
    });
    expect(incomplete.map(({ name }) => name)).toEqual([]);
  });
});

describe('the examples of the OpenAPI document', () => {
  const TAGS = [
    'sources',
    'destinations',
    'events',
    'webhook sources',
    'profiles',
    'segments',
    'computed traits',
    'deliveries',
    'dead letters',
    'replays',
    'tracking plans',
    'transformations',
  ];
  let service: TestService;
  let api: ApiClient;

  beforeAll(async () => {
    buildService();
    service = await startTestService();
    api = new ApiClient(service.url, { authorization: `Bearer ${await aToken(service)}` });
  });
  afterAll(() => service.close());

  it('come in the order of the story, in parts of which none is empty', async () => {
    const { document, operations } = await read();
    const used = new Set(operations.map(({ tag }) => tag));
    const tags = document.tags.map(({ name }) => name);
    expect(tags).toEqual([...TAGS, 'inspector', 'configuration', 'audit', 'access']);
    expect([...used].sort()).toEqual([...tags].sort());
  });

  it('work as they are, also twice, also beside what was made before', async () => {
    await api.post('/sources', { name: 'Shop', description: 'Made by hand' });
    await api.post('/destinations', {
      name: 'Hook',
      type: 'webhook',
      config: { url: 'http://localhost:8080' },
    });
    await api.post('/segments', { name: 'Everybody', rules: [] });
    await api.post('/tracking-plans', { name: 'Anything', rules: [] });
    const mine = await first();
    const { document, operations } = await read();
    const order = document.tags.map(({ name }) => name);
    const names = operations
      .toSorted((one, other) => order.indexOf(one.tag) - order.indexOf(other.tag))
      .map(({ name }) => name);
    const failed: unknown[] = [];
    for (const name of names) {
      for (const time of ['first', 'second']) {
        for (const call of await callsOf(await operation(name))) {
          const status = await execute(call);
          if (status >= 300) failed.push({ name, time, status, call });
        }
      }
      if (name === 'POST /v1/batch')
        await eventually(async () => expect((await api.get('/profiles/ada')).status).toBe(200));
    }
    expect(failed).toEqual([]);
    for (const path of ['/destinations', '/segments'])
      expect((await api.get<object[]>(path)).body).toHaveLength(2);
    // Its creation has two examples.
    expect((await api.get<object[]>('/sources')).body).toHaveLength(3);
    expect(await first()).toEqual(mine);
  }, 180_000);

  /** The first of each, and which state it is in. */
  const first = async (): Promise<unknown[]> => {
    const lists = ['/sources', '/destinations', '/segments'].map((path) => api.get<Made[]>(path));
    return (await Promise.all(lists)).map(({ body: [one] }) => [one!.id, one!.name, one!.version]);
  };

  it('rotate a secret once, however often they are run: the one before it signs for a while', async () => {
    const [call] = await callsOf(await operation('POST /destinations/{id}/rotate-secret'));
    for (let time = 0; time < 3; time += 1) expect(await execute(call!)).toBe(200);
    const { body: audit } = await api.get<{ action: string }[]>('/audit?resource=destination');
    expect(audit.filter(({ action }) => action === 'rotate_secret')).toHaveLength(1);
  });

  it('are missing where something is deleted, and where there is nothing to name', async () => {
    const { operations } = await read();
    const without: string[] = [];
    for (const each of operations) if ((await callsOf(each)).length === 0) without.push(each.name);
    expect(without.filter((name) => !name.startsWith('DELETE '))).toEqual([
      'POST /v1/hooks/{writeKey}',
      'GET /hook-requests/{id}',
      'POST /hook-requests/{id}/run',
      'POST /hook-requests/{id}/discard',
      'GET /quarantined-events/{id}',
      'POST /quarantined-events/{id}/release',
      'POST /quarantined-events/{id}/discard',
      'POST /dead-letters/{id}/replay',
    ]);
  });

  interface Made {
    readonly id: string;
    readonly name: string;
    readonly version: number;
  }
  interface Operation {
    readonly name: string;
    readonly tag: string;
    readonly method: string;
    readonly path: string;
    readonly parameters?: readonly {
      readonly name: string;
      readonly in: string;
      readonly example?: string;
    }[];
    readonly requestBody?: {
      readonly content: Record<string, { example?: unknown; examples?: Record<string, { value: unknown }> }>;
    };
    readonly security: readonly object[];
  }
  interface Call {
    readonly method: string;
    readonly path: string;
    readonly headers: Record<string, string>;
    readonly body?: unknown;
  }

  async function read(): Promise<{ document: { tags: { name: string }[] }; operations: Operation[] }> {
    const { body: document } = await new ApiClient(service.url, {}).get('/openapi.json');
    const paths = Object.entries(
      document.paths as Record<string, Record<string, Operation & { tags: string[] }>>,
    );
    const operations = paths.flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        ...operation,
        method: method.toUpperCase(),
        path,
        tag: operation.tags[0] ?? '',
        name: `${method.toUpperCase()} ${path}`,
      })),
    );
    return { document, operations };
  }

  /** Swagger UI adds a hash of the body to the key of an example. */
  const keyFor = (body: number, headers: Record<string, string>): Record<string, string> =>
    headers['Idempotency-Key'] === 'example' ? { 'Idempotency-Key': `example-${body}` } : {};

  /** As the document has it at present: its examples name what there is. */
  async function operation(name: string): Promise<Operation> {
    const { operations } = await read();
    const found = operations.find((one) => one.name === name);
    if (found === undefined) throw new Error(`There is no ${name}.`);
    return found;
  }

  /** What Swagger UI sends: each body there is an example of, and every parameter that has one. */
  async function callsOf({
    method,
    parameters = [],
    requestBody,
    security,
    path: template,
  }: Operation): Promise<Call[]> {
    const query = new URLSearchParams();
    const headers: Record<string, string> = {};
    let path = template;
    for (const { in: place, name: parameter, example } of parameters) {
      if (example === undefined) continue;
      if (place === 'path') path = path.replace(`{${parameter}}`, encodeURIComponent(example));
      if (place === 'query') query.set(parameter, example);
      if (place === 'header') headers[parameter] = example;
    }
    if (path.includes('{')) return [];
    if (security.some((scheme) => 'writeKey' in scheme)) {
      const [source] = (await api.get<{ writeKey: string }[]>('/sources')).body;
      headers.authorization = `Basic ${Buffer.from(`${source!.writeKey}:`).toString('base64')}`;
    }
    const call = { method, path: `${path}?${query.toString()}`, headers };
    if (requestBody === undefined) return [call];
    return Object.entries(requestBody.content).flatMap(([type, { example, examples = {} }]) =>
      [...(example === undefined ? [] : [example]), ...Object.values(examples).map(({ value }) => value)].map(
        (body, index) => ({
          ...call,
          headers: { ...headers, ...keyFor(index, headers), 'content-type': type },
          body,
        }),
      ),
    );
  }

  async function execute({ method, path, headers, body }: Call): Promise<number> {
    return (await api.with(headers).send(method, path, body)).status;
  }
});

describe.each(queueKinds())('the queue board on %s queues', (queue) => {
  let service: TestService;
  let anonymous: ApiClient;

  beforeAll(async () => {
    service = await startTestService({ queue, env: { CDP_AUTH_ANY_TOKEN: 'false' } });
    anonymous = new ApiClient(service.url, {});
  });
  afterAll(() => service.close());

  const asAdmin = async (): Promise<ApiClient> =>
    anonymous.with({ authorization: `Bearer ${await aToken(service, ['cdp:admin'])}` });

  const logIn = (token: string): Promise<Response> =>
    fetch(`${service.url}/login`, { method: 'POST', body: new URLSearchParams({ token, to: '/queues' }) });

  const sessionCookie = async (): Promise<string> => {
    const answer = await logIn(await aToken(service, ['cdp:admin']));
    return cookieOf(answer);
  };

  const cookieOf = (answer: Response): string => answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';

  it.each([
    '/queues',
    '/queues/',
    '/queues/api/queues',
    '/queues/queue/events',
    '/queues/static/js/main.4c9f061c66.js',
    '//queues',
    '//queues/api/queues',
    '/%71ueues',
    '/%71ueues/api/queues',
    '/queues%2Fapi%2Fqueues',
    '/QUEUES/api/queues',
    '/queues/../queues/api/queues',
    '/./queues/api/queues',
    '/queues;a=b/api/queues',
    '/queues/api/queues?x=/queues/login',
    '/queues/login/../api/queues',
  ])('shows nothing of %s to somebody without a credential', async (path) => {
    const { request } = await import('undici');
    const answer = await request(`${service.url}${path}`);
    await answer.body.dump();
    expect([401, 404]).toContain(answer.statusCode);
  });

  it.each(['PUT', 'POST', 'PATCH', 'DELETE'])('refuses %s without a credential', async (method) => {
    const paths = ['/queues/api/queues/events/retry/failed', '/queues/api/queues/events/pause'];
    for (const path of paths) expect([401, 404]).toContain((await anonymous.send(method, path)).status);
    expect((await anonymous.send('PUT', '/queues/api/queues/events/pause')).status).toBe(401);
  });

  it('lists all queues for a token with cdp:admin, and refuses one without', async () => {
    const admin = await asAdmin();
    const answer = await admin.get('/queues/api/queues');
    expect(answer.status).toBe(200);
    const names = answer.body.queues.map(({ name }: { name: string }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['events', 'deliveries', 'delivery-retries', 'dead-letters']),
    );
    for (const { description } of answer.body.queues) expect(description).toMatch(/\w+ \w+/);
    const reader = anonymous.with({ authorization: `Bearer ${await aToken(service, ['cdp:write'])}` });
    expect((await reader.get('/queues/api/queues')).status).toBe(403);
    const { body: page } = await admin.get('/queues');
    expect(page).toContain('<div id="root">');
    expect(page).not.toMatch(/(?:href|src)="https?:/);
  });

  it('leads a browser to the login page, and in again with a token', async () => {
    const visit = await fetch(`${service.url}/queues`, {
      headers: { accept: 'text/html' },
      redirect: 'manual',
    });
    expect(visit.status).toBe(303);
    expect(visit.headers.get('location')).toBe('/login?to=%2Fqueues');
    const form = await (await fetch(`${service.url}/login?to=/queues`)).text();
    expect(form).toContain('<form method="post"');
    expect(form).toContain('<code>npm run token</code>');

    const login = await logIn(await aToken(service, ['cdp:admin']));
    expect(login.status).toBe(200);
    const [cookie = ''] = login.headers.getSetCookie();
    expect(cookie).toContain('HttpOnly');
    expect(cookie).toContain('SameSite=Strict');
    expect(cookie).toContain('Path=/;');

    const board = anonymous.with({ cookie: cookie.split(';')[0] ?? '' });
    expect((await board.get('/queues/api/queues')).status).toBe(200);
    const logout = await fetch(`${service.url}/logout`, { redirect: 'manual' });
    expect(logout.headers.getSetCookie()[0]).toMatch(/^cdp_session=;/);
  });

  it('lets nobody log in with a bad token, one without the right, or none', async () => {
    expect((await logIn('nonsense')).status).toBe(401);
    expect((await logIn(await aToken(service, []))).status).toBe(403);
    const reader = anonymous.with({ cookie: cookieOf(await logIn(await aToken(service, ['cdp:read']))) });
    expect((await reader.get('/queues/api/queues')).status).toBe(403);
    expect((await fetch(`${service.url}/login`, { method: 'POST' })).status).toBe(400);
    const forged = anonymous.with({ cookie: 'cdp_session=v1.AAAA' });
    expect((await forged.get('/queues/api/queues')).status).toBe(401);
  });

  it('tells a browser in a page which scope is missing', async () => {
    const cookie = cookieOf(await logIn(await aToken(service, ['cdp:read'])));
    const visit = await fetch(`${service.url}/queues`, { headers: { accept: 'text/html', cookie } });
    expect([visit.status, visit.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8']);
    const page = await visit.text();
    expect(page).toContain('<h1>Forbidden</h1>');
    expect(page).toContain('needs the scope cdp:admin');
    expect(page).toContain('href="/logout"');
  });

  it('does not obey a session from another site', async () => {
    const board = anonymous.with({ cookie: await sessionCookie() });
    const pause = '/queues/api/queues/dead-letters/pause';
    expect((await board.with({ 'sec-fetch-site': 'same-site' }).put(pause)).status).toBe(401);
    expect((await board.with({ origin: 'https://evil.example' }).put(pause)).status).toBe(401);
    const ours = board.with({ origin: service.url, 'sec-fetch-site': 'same-origin' });
    expect((await ours.put(pause)).status).toBe(200);
    expect((await ours.put('/queues/api/queues/dead-letters/resume')).status).toBe(200);
  });

  describe('what it does to queues', () => {
    const writes = boardRoutes().filter((route) => !route.startsWith('GET '));
    const isOn = (route: string): boolean => typeof BOARD_ACTIONS[route] === 'string';
    const requestIdOf = (route: string): string => `board-${writes.indexOf(route)}`;
    const requestOf = (route: string): [method: string, path: string] => {
      const [method = '', path = ''] = route.split(' ');
      const given = { queueName: 'dead-letters', jobId: 'dead-1', queueStatus: 'failed', schedulerId: 's' };
      const filled = path.replaceAll(/:(\w+)/g, (_, name: keyof typeof given) => given[name]);
      return [method, `/queues${filled}`];
    };

    it('is decided for every route that writes', () => {
      expect(writes.length).toBeGreaterThan(20);
      expect(Object.keys(BOARD_ACTIONS).sort()).toEqual([...writes].sort());
    });

    it.each(writes.filter((route) => !isOn(route)))('is off for %s', async (route) => {
      const [method, path] = requestOf(route);
      const body = { name: 'forged', data: { destinationId: 'd' }, jobData: {} };
      const answer = await (await asAdmin()).send(method, path, body);
      const isServed = !path.includes('/history/');
      expect(answer.status).toBe(isServed ? 403 : 404);
      if (isServed) expect(answer.body.code).toBe('board_action_off');
    });

    it('leaves an entry in the audit', async () => {
      const admin = await asAdmin();
      for (const route of writes.filter(isOn)) {
        const [method, path] = requestOf(route);
        const body = { concurrency: 5, priority: 1, runAt: Date.now(), max: 100, duration: 1_000 };
        const { status } = await admin.with({ 'x-request-id': requestIdOf(route) }).send(method, path, body);
        expect({ route, isCarriedOut: status < 500 && status !== 403 }).toEqual({
          route,
          isCarriedOut: true,
        });
      }
      await admin.put('/queues/api/queues/resume');
      const { body: entries } = await admin.get('/audit?resource=queue&limit=200');
      for (const route of writes.filter(isOn)) {
        const entry = entries.find(
          ({ requestId }: { requestId: string }) => requestId === requestIdOf(route),
        );
        expect(entry).toMatchObject({
          actor: 'operator@example.com',
          actorKind: 'subject',
          action: BOARD_ACTIONS[route],
          resourceId: route.includes(':queueName') ? 'dead-letters' : 'all',
          after: route.includes(':jobId') ? { jobId: 'dead-1' } : {},
        });
      }
    });

    it('names who is logged in with a browser', async () => {
      const board = anonymous.with({ cookie: await sessionCookie(), 'x-request-id': 'by-browser' });
      expect((await board.put('/queues/api/queues/batches/pause')).status).toBe(200);
      expect((await board.put('/queues/api/queues/batches/resume')).status).toBe(200);
      const { body } = await (await asAdmin()).get('/audit?resource=queue&resourceId=batches');
      const own = body.filter(({ requestId }: { requestId: string }) => requestId === 'by-browser');
      expect(own).toMatchObject([
        { action: 'resume', actor: 'operator@example.com' },
        { action: 'pause', actor: 'operator@example.com' },
      ]);
    });
  });
});

describe('the queue board without Redis', () => {
  let service: TestService;
  let board: ApiClient;

  beforeAll(async () => {
    const env = { CDP_REDIS_URL: `redis://127.0.0.1:${await freePort()}`, CDP_LOG_LEVEL: 'silent' };
    service = await startTestService({ env });
    board = await anApiClient(service);
  });
  afterAll(() => service.close());

  it.each([
    ['GET', '/queues/api/queues'],
    ['PUT', '/queues/api/queues/events/pause'],
  ])('says that it is away: %s %s', async (method, path) => {
    const { status, headers, body } = await board.send(method, path);
    expect(status).toBe(503);
    expect(headers.get('content-type')).toMatch('application/problem+json');
    expect(headers.get('retry-after')).toBe('5');
    expect(body).toMatchObject({ code: 'dependency_down', message: expect.stringMatching(/^Redis cannot/) });
  });

  it('shows the page all the same, and does nothing that the audit would have', async () => {
    expect((await board.get('/queues')).status).toBe(200);
    expect((await board.get('/audit?resource=queue')).body).toEqual([]);
  });
});

/** Every route of Bull Board's API, with whatever may be switched on, as `PUT /api/queues/pause`. */
function boardRoutes(): string[] {
  const provider = {} as Parameters<typeof buildHistoryRoutes>[0];
  const history = buildHistoryRoutes(provider, { hasUsage: true, canPurge: true, hasLatency: true });
  return [...appRoutes.api, ...history].flatMap(({ method, route }) =>
    [method].flat().flatMap((verb) => [route].flat().map((path) => `${verb.toUpperCase()} ${path}`)),
  );
}
