import { aToken } from '../support/a-token';
import { ApiClient, anApiClient } from '../support/api-client';
import { startTestService, type TestService } from '../support/test-service';

describe('a session of a browser', () => {
  let service: TestService;
  let stranger: ApiClient;

  beforeAll(async () => {
    service = await startTestService({ env: { CDP_AUTH_ANY_TOKEN: 'false' } });
    stranger = new ApiClient(service.url, {});
  });
  afterAll(() => service.close());

  const loggedIn = async (...scopes: string[]): Promise<ApiClient> => {
    const body = new URLSearchParams({ token: await aToken(service, scopes), to: '/console/sources' });
    const answer = await fetch(`${service.url}/login`, { method: 'POST', body });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('refresh')).toBe('0; url=/console/sources');
    const [cookie = ''] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/; Path=\/; .*HttpOnly; SameSite=Strict$/);
    return stranger.with({ cookie: cookie.split(';')[0] ?? '' });
  };

  it('may do in the Management API what the token may that it was made with', async () => {
    const [reader, writer] = [await loggedIn('cdp:read'), await loggedIn('cdp:write')];
    expect((await reader.get('/sources')).status).toBe(200);
    expect((await reader.post('/sources', { name: 'Shop' })).status).toBe(403);
    expect((await writer.post('/sources', { name: 'Shop' })).status).toBe(201);
    expect((await writer.get('/audit')).status).toBe(403);
    const admin = await anApiClient(service);
    const { body } = await admin.get('/audit?resource=source');
    expect(body).toMatchObject([{ action: 'create', actor: 'operator@example.com', actorKind: 'subject' }]);
  });

  it.each([
    ['another service of the same site', { 'sec-fetch-site': 'same-site' }],
    ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['another origin, with an old browser', { origin: 'http://127.0.0.1:1' }],
    ['a page without an origin', { origin: 'null' }],
  ])('changes nothing at the wish of %s', async (_, headers) => {
    const writer = (await loggedIn('cdp:write')).with(headers);
    expect((await writer.post('/sources', { name: 'Forged' })).status).toBe(401);
  });

  it('counts for nothing beside a token', async () => {
    const writer = await loggedIn('cdp:write');
    expect((await writer.with({ authorization: 'Bearer nonsense' }).get('/sources')).status).toBe(401);
  });

  it('is none when the cookie was made or changed by somebody else', async () => {
    for (const cookie of [
      'cdp_session=v1.AAAA',
      'cdp_session=',
      'cdp_session={"subject":"x","scopes":["cdp:admin"]}',
    ])
      expect((await stranger.with({ cookie }).get('/me')).status).toBe(401);
  });

  it('is none after its token has ended', async () => {
    const reader = await loggedIn('cdp:read');
    const now = Date.now.bind(Date);
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + 3_600_001);
    expect((await reader.get('/me')).status).toBe(401);
    clock.mockRestore();
    expect((await reader.get('/me')).status).toBe(200);
  });

  it('is not given for a token that may do nothing', async () => {
    const body = new URLSearchParams({ token: await aToken(service, []) });
    const answer = await fetch(`${service.url}/login`, { method: 'POST', body });
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []]);
  });

  it('is taken behind HTTPS from a cookie alone that no other host of the domain can set', async () => {
    const env = { CDP_AUTH_ANY_TOKEN: 'false', CDP_PUBLIC_URL: 'https://cdp.example.com' };
    const secure = await startTestService({ env });
    try {
      const body = new URLSearchParams({ token: await aToken(secure, ['cdp:read']) });
      const answer = await fetch(`${secure.url}/login`, { method: 'POST', body });
      const [cookie = ''] = answer.headers.getSetCookie();
      expect(cookie).toMatch(/^__Host-cdp_session=[^;]+; Path=\/; .*HttpOnly; Secure; SameSite=Strict$/);
      const statusWith = async (sent: string): Promise<number> =>
        (await new ApiClient(secure.url, { cookie: sent }).get('/me')).status;
      const own = cookie.split(';')[0] ?? '';
      expect(await statusWith(own)).toBe(200);
      expect(await statusWith(own.replace('__Host-', ''))).toBe(401);
    } finally {
      await secure.close();
    }
  });

  describe('GET /me', () => {
    it.each([
      [['cdp:read'], ['cdp:read']],
      [['cdp:write'], ['cdp:read', 'cdp:write']],
      [['cdp:privacy'], ['cdp:privacy']],
      [['cdp:admin'], ['cdp:read', 'cdp:write', 'cdp:privacy', 'cdp:admin']],
    ])('says that %j may do %j', async (granted, expected) => {
      for (const client of [await anApiClient(service, granted), await loggedIn(...granted)]) {
        const { status, body } = await client.get('/me');
        expect(status).toBe(200);
        expect(body).toEqual({
          subject: 'operator@example.com',
          kind: 'subject',
          issuer: null,
          scopes: expected,
          expiresAt: expect.stringMatching(/^20.*Z$/) as string,
        });
      }
    });
  });
});
