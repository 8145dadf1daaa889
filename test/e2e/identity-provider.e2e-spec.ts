import { createHmac, createPublicKey, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { exportSPKI, importJWK, SignJWT } from 'jose';
import { withSecrets } from '../../src/platform/boot/development-secrets';
import { Config } from '../../src/platform/config/config';
import { ApiClient } from '../support/api-client';
import { buildService } from '../support/built-service';
import { eventually } from '../support/eventually';
import { freePort } from '../support/free-port';
import { IdentityProvider } from '../support/identity-provider';
import { type Ended, runToEnd } from '../support/run-to-end';
import { startTestService, TEST_ENCRYPTION_KEY, type TestService } from '../support/test-service';

/** See `RemoteKeys`: an unknown key id asks the provider at most this often. */
const COOLDOWN_MS = 10_000;
const AUDIENCE = 'https://cdp.example.com';

describe('with an identity provider', () => {
  let provider: IdentityProvider;
  let service: TestService;

  beforeAll(async () => {
    provider = await IdentityProvider.start(AUDIENCE, 'http://127.0.0.1:1/login/callback');
    // The issuer alone: where its keys are is found by discovery.
    service = await startTestService({
      env: {
        CDP_JWT_SECRET: '',
        CDP_JWT_ISSUER: provider.issuer,
        CDP_JWT_AUDIENCE: AUDIENCE,
        CDP_AUTH_ANY_TOKEN: 'false',
        CDP_OIDC_CLIENT_ID: 'board',
        CDP_OIDC_CLIENT_SECRET: 'board-secret',
        CDP_OIDC_SCOPE: 'openid cdp:admin',
        CDP_PUBLIC_URL: 'http://127.0.0.1:1',
      },
    });
  });
  afterAll(async () => {
    await service?.close();
    await provider?.stop();
  });

  const statusWith = async (token: string, method = 'GET'): Promise<number> => {
    const client = new ApiClient(service.url, { authorization: `Bearer ${token}` });
    return (await client.send(method, '/sources', method === 'POST' ? { name: randomUUID() } : undefined))
      .status;
  };

  interface Forgery {
    readonly claims?: Record<string, unknown>;
    readonly header?: Record<string, unknown>;
    readonly alg?: string;
  }

  /** A token signed with the provider's own key, with whatever claims and header. */
  const forged = async ({ claims = {}, header = {}, alg = 'RS256' }: Forgery = {}): Promise<string> => {
    const jwk = provider.keys.find((key) => key.alg === alg);
    const now = Math.floor(Date.now() / 1000);
    const payload = { iss: provider.issuer, aud: AUDIENCE, sub: 'mallory', iat: now, exp: now + 600 };
    return new SignJWT({ ...payload, scope: 'cdp:read', ...claims })
      .setProtectedHeader({ alg, kid: jwk?.kid, ...header })
      .sign(await importJWK(jwk ?? {}, alg), { crit: { 'x-unknown': true } });
  };

  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

  const unsigned = async (header: object): Promise<string> => {
    const [, payload] = (await forged()).split('.');
    return `${encode(header)}.${payload}.`;
  };

  const hmacSigned = async (key: string | Buffer, kid?: string): Promise<string> => {
    const [, payload] = (await forged()).split('.');
    const input = `${encode({ alg: 'HS256', typ: 'JWT', kid })}.${payload}`;
    return `${input}.${createHmac('sha256', key).update(input).digest('base64url')}`;
  };

  it('takes its tokens, and grants what their scopes say', async () => {
    const reader = await provider.token('cdp:read', AUDIENCE);
    expect(await statusWith(reader)).toBe(200);
    expect(await statusWith(reader, 'POST')).toBe(403);
    expect(await statusWith(await provider.token('cdp:write', AUDIENCE), 'POST')).toBe(201);
    expect(await statusWith(await provider.token('cdp:privacy', AUDIENCE))).toBe(403);
  });

  it.each(['RS256', 'ES256', 'EdDSA'])('takes tokens signed with %s', async (alg) => {
    expect(await statusWith(await forged({ alg }))).toBe(200);
  });

  it.each(['at+jwt', 'application/at+jwt', 'JWT'])('takes tokens of the type %s', async (typ) => {
    expect(await statusWith(await forged({ header: { typ } }))).toBe(200);
  });

  const soon = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;
  const attacks: [string, () => Promise<string>][] = [
    ['alg none', () => unsigned({ alg: 'none' })],
    ['alg None', () => unsigned({ alg: 'None', typ: 'JWT' })],
    ['no signature at all', async () => (await forged()).split('.').slice(0, 2).join('.')],
    ['an empty signature', async () => `${(await forged()).split('.').slice(0, 2).join('.')}.`],
    ['another signature', async () => (await forged()).replace(/\.[^.]+$/, `.${'A'.repeat(342)}`)],
    [
      'other claims under the signature',
      async () => {
        const [header, , signature] = (await forged()).split('.');
        return `${header}.${encode({ iss: provider.issuer, aud: AUDIENCE, exp: soon(600) })}.${signature}`;
      },
    ],
    [
      'the public key taken for a secret (PEM)',
      async () => {
        const [jwk] = provider.keys;
        const key = await importJWK({ kty: 'RSA', n: jwk?.n, e: jwk?.e }, 'RS256', { extractable: true });
        return hmacSigned(await exportSPKI(key), jwk?.kid);
      },
    ],
    [
      'the public key taken for a secret (DER)',
      async () => {
        const [jwk] = provider.keys;
        const publicKey = createPublicKey({ key: { kty: 'RSA', n: jwk?.n, e: jwk?.e }, format: 'jwk' });
        return hmacSigned(publicKey.export({ type: 'spki', format: 'der' }), jwk?.kid);
      },
    ],
    ['HS256 with an empty secret', () => hmacSigned('')],
    ['HS256 with the development secret', () => hmacSigned('test-secret-of-some-length')],
    ['another issuer', () => forged({ claims: { iss: 'https://evil.example' } })],
    ['no issuer', () => forged({ claims: { iss: undefined } })],
    [
      'an issuer that only begins the same',
      () => forged({ claims: { iss: `${provider.issuer}.evil.example` } }),
    ],
    ['another audience', () => forged({ claims: { aud: 'https://other.example' } })],
    ['no audience', () => forged({ claims: { aud: undefined } })],
    ['expired', () => forged({ claims: { exp: soon(-60) } })],
    ['no expiry', () => forged({ claims: { exp: undefined } })],
    ['an expiry that is text', () => forged({ claims: { exp: 'never' } })],
    ['not valid yet', () => forged({ claims: { nbf: soon(600) } })],
    ['an unknown kid', () => forged({ header: { kid: 'nobody' } })],
    ['a kid that is a path', () => forged({ header: { kid: '../../../dev/null' } })],
    ['a kid that is SQL', () => forged({ header: { kid: "x' union select 'key' --" } })],
    ['a kid of another algorithm', () => forged({ header: { kid: provider.keys[1]?.kid } })],
    ['a kid that is no text', () => forged({ header: { kid: { a: 1 } } })],
    [
      'its own key in jwk, jku and x5u',
      async () => {
        const stranger = await IdentityProvider.start(AUDIENCE);
        try {
          const [jwk] = stranger.keys;
          const jku = `${stranger.issuer}/jwks`;
          const header = { alg: 'RS256', jwk: { kty: jwk?.kty, n: jwk?.n, e: jwk?.e }, jku, x5u: jku };
          return await new SignJWT({ iss: provider.issuer, aud: AUDIENCE, sub: 'x', exp: soon(600) })
            .setProtectedHeader(header)
            .sign(await importJWK(jwk ?? {}, 'RS256'));
        } finally {
          await stranger.stop();
        }
      },
    ],
    ['an unknown crit header', () => forged({ header: { crit: ['x-unknown'], 'x-unknown': 1 } })],
    ['a token in a token', async () => `${encode({ alg: 'none', cty: 'JWT' })}.${encode(await forged())}.`],
    ['an encrypted token', async () => `${encode({ alg: 'dir', enc: 'A256GCM' })}..AAAA.AAAA.AAAA`],
    ['a huge token', async () => `${await forged()}${'A'.repeat(12_000)}`],
    ['deep claims', async () => `${encode({ alg: 'RS256' })}.${'eyJh'.repeat(2_000)}.AAAA`],
    ['a payload that is no object', async () => `${encode({ alg: 'RS256' })}.${encode([1])}.AAAA`],
    ['a logout token', () => forged({ header: { typ: 'logout+jwt' }, claims: { events: {} } })],
    ['an ID token with a nonce', () => forged({ claims: { nonce: 'n' } })],
    ['an ID token of Keycloak', () => forged({ claims: { typ: 'ID' } })],
    ['dots only', async () => '..'],
    ['binary noise', async () => '%00%ff.%00.%00'],
  ];

  it.each(attacks)('answers 401 to %s', async (_, makeToken) => {
    const client = new ApiClient(service.url, { authorization: `Bearer ${await makeToken()}` });
    const answer = await client.get('/sources');
    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="cdp", error="invalid_token"');
  });

  it('neither hammers the provider nor locks out others during a flood of unknown key ids', async () => {
    const valid = await provider.token('cdp:read', AUDIENCE);
    const before = await provider.requestsForKeys();
    const flood = Array.from({ length: 50 }, (_, index) => forged({ header: { kid: `random-${index}` } }));
    const statuses = await Promise.all((await Promise.all(flood)).map((token) => statusWith(token)));
    expect(new Set(statuses)).toEqual(new Set([401]));
    expect(await statusWith(valid)).toBe(200);
    expect((await provider.requestsForKeys()) - before).toBeLessThanOrEqual(1);
  });

  describe('tokens of cdp token --bootstrap', () => {
    const onServer = { NODE_ENV: 'production', CDP_ENCRYPTION_KEY: TEST_ENCRYPTION_KEY };
    const makeToken = (env: Record<string, string> = {}): Promise<Ended> =>
      runToEnd(join(__dirname, '../../dist/cli/cdp.js'), ['token', '--bootstrap'], {
        env: { ...onServer, ...env },
      });
    const clientOf = ({ url }: TestService, { output }: Ended): ApiClient =>
      new ApiClient(url, { authorization: `Bearer ${output.trim()}` });

    beforeAll(() => buildService(), 90_000);

    it('may do everything beside the provider, and are in the audit at their first use', async () => {
      const client = clientOf(service, await makeToken());
      expect((await client.post('/sources', { name: 'First of a service' })).status).toBe(201);
      expect((await client.get('/queues/api/queues')).status).toBe(200);
      const { body } = await client.get('/audit?limit=2');
      const by = { actor: expect.stringContaining('@'), actorIssuer: 'urn:cdp:bootstrap' };
      expect(body).toMatchObject([
        { ...by, action: 'create', resource: 'source' },
        { ...by, action: 'use_bootstrap_token', resource: 'token', after: { scopes: ['cdp:admin'] } },
      ]);
    });

    it('are refused when another key made them', async () => {
      const foreign = await makeToken({ CDP_ENCRYPTION_KEY: 'another-encryption-key' });
      expect((await clientOf(service, foreign).get('/sources')).status).toBe(401);
    });

    it('are neither made nor taken where they are off', async () => {
      const off = { CDP_BOOTSTRAP_TOKENS: 'false' };
      expect(await makeToken(off)).toMatchObject({ code: 1, output: '' });
      const strict = await startTestService({ env: off });
      try {
        expect((await clientOf(strict, await makeToken()).get('/sources')).status).toBe(401);
      } finally {
        await strict.close();
      }
    });

    it('are what the form of a login names where those of npm run token are refused', async () => {
      const keysAlone = await startTestService({
        env: {
          CDP_JWT_SECRET: '',
          CDP_JWT_JWKS_URL: 'http://127.0.0.1:1/keys',
          CDP_JWT_ISSUER: provider.issuer,
          CDP_JWT_AUDIENCE: AUDIENCE,
        },
      });
      try {
        const form = await (await fetch(`${keysAlone.url}/login`)).text();
        expect(form).toContain('<code>npx cdp token --bootstrap</code>');
        expect(form).not.toContain('npm run token');
      } finally {
        await keysAlone.close();
      }
    });

    it('are the only ones in a production that has no provider yet, when they are asked for', async () => {
      const env = { ...onServer, CDP_JWT_SECRET: '', CDP_BOOTSTRAP_TOKENS: 'true' };
      const given = Config.from({ ...env, CDP_DATABASE_URL: 'postgres://unused' });
      expect(withSecrets(given)).toBe(given);
      const fresh = await startTestService({ env });
      try {
        expect((await clientOf(fresh, await makeToken()).get('/sources')).status).toBe(200);
        const other = new ApiClient(fresh.url, { authorization: `Bearer ${await forged()}` });
        expect((await other.get('/sources')).status).toBe(401);
      } finally {
        await fresh.close();
      }
    });
  });

  it('lets a person with cdp:admin log in to the queue board with the browser', async () => {
    const port = await freePort();
    const ownUrl = `http://127.0.0.1:${port}`;
    const people = await IdentityProvider.start(AUDIENCE, `${ownUrl}/login/callback`);
    const board = await startTestService({
      env: {
        CDP_JWT_SECRET: '',
        CDP_JWT_ISSUER: people.issuer,
        CDP_JWT_AUDIENCE: AUDIENCE,
        CDP_AUTH_ANY_TOKEN: 'false',
        CDP_OIDC_CLIENT_ID: 'board',
        CDP_OIDC_CLIENT_SECRET: 'board-secret',
        CDP_OIDC_SCOPE: 'openid cdp:admin',
        CDP_PUBLIC_URL: ownUrl,
      },
    });
    try {
      const browser = new Browser(ownUrl, board.url);
      await browser.visit(`${ownUrl}/login/start?to=/queues`);
      await browser.submit({ prompt: 'login', login: 'ada', password: 'x' });
      const end = await browser.submit({ prompt: 'consent' });
      expect(end.status).toBe(200);
      expect(end.headers.get('refresh')).toBe('0; url=/queues');
      expect((await browser.visit(`${ownUrl}/queues/api/queues`)).status).toBe(200);
      const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
      const mistaken = new Browser(ownUrl, board.url);
      await mistaken.visit(`${ownUrl}/login/start?to=/queues`);
      expect((await mistaken.visit(`${ownUrl}/login/callback?code=x&state=y`)).status).toBe(401);
      expect(warn).toHaveBeenCalledWith(expect.stringMatching(/^A login .* did not succeed: ./), {
        code: 'OAUTH_INVALID_RESPONSE',
      });
      warn.mockRestore();
      const stranger = new Browser(ownUrl, board.url);
      expect((await stranger.visit(`${ownUrl}/login/callback?code=x&state=y`)).status).toBe(401);
    } finally {
      await board.close();
      await people.stop();
    }
  });

  it('says at the start, and on the login page, that the provider is away', async () => {
    const issuer = `http://127.0.0.1:${await freePort()}`;
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const alone = await startTestService({
      env: {
        CDP_AUTH_ANY_TOKEN: 'false',
        CDP_JWT_ISSUER: issuer,
        CDP_JWT_AUDIENCE: AUDIENCE,
        CDP_PUBLIC_URL: 'http://127.0.0.1:3000',
        CDP_OIDC_CLIENT_ID: 'board',
        CDP_LOG_LEVEL: 'silent',
      },
    });
    try {
      await eventually(() =>
        expect(warn).toHaveBeenCalledWith(
          expect.stringMatching(`^Nobody can log in with the browser: ${issuer} .* Check CDP_JWT_ISSUER`),
        ),
      );
      const answer = await fetch(`${alone.url}/login/start`, { redirect: 'manual' });
      expect(answer.status).toBe(503);
      expect(await answer.text()).toContain('The identity provider cannot be reached right now');
    } finally {
      warn.mockRestore();
      await alone.close();
    }
  });

  it('finds new keys at their first use, and survives an outage of the provider', async () => {
    const other = await IdentityProvider.start(AUDIENCE);
    const rotating = await startTestService({
      env: { CDP_JWT_SECRET: '', CDP_JWT_ISSUER: other.issuer, CDP_JWT_AUDIENCE: AUDIENCE },
    });
    const status = async (token: string): Promise<number> =>
      (await new ApiClient(rotating.url, { authorization: `Bearer ${token}` }).get('/sources')).status;
    try {
      expect(await status(await other.token('cdp:read', AUDIENCE))).toBe(200);
      await other.rotate();
      const known = await other.token('cdp:read', AUDIENCE);
      const now = Date.now.bind(Date);
      const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + COOLDOWN_MS + 1);
      expect(await status(known)).toBe(200);
      clock.mockRestore();
      await other.goDown();
      expect(await status(known)).toBe(200);
    } finally {
      await rotating.close();
      await other.stop();
    }
  });
});

/** As much of a browser as a login needs: cookies per origin, redirects, and the form of a page. */
class Browser {
  private readonly cookies = new Map<string, Map<string, string>>();
  private page: { readonly url: URL; readonly html: string } | undefined;

  /** @param publicUrl the address that pages use for the service, which really listens at `realUrl`. */
  constructor(
    private readonly publicUrl: string,
    private readonly realUrl: string,
  ) {}

  visit(url: string): Promise<Response> {
    return this.request(new URL(url), 'GET');
  }

  submit(fields: Record<string, string>): Promise<Response> {
    const action = /action="([^"]+)"/.exec(this.page?.html ?? '')?.[1] ?? '';
    return this.request(new URL(action, this.page?.url), 'POST', new URLSearchParams(fields));
  }

  private async request(url: URL, method: string, body?: URLSearchParams): Promise<Response> {
    const jar = this.cookies.get(url.origin) ?? new Map<string, string>();
    this.cookies.set(url.origin, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const target = url.href.replace(this.publicUrl, this.realUrl);
    const answer = await fetch(target, { method, body, headers: { cookie }, redirect: 'manual' });
    for (const header of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? [];
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    const location = answer.headers.get('location');
    this.page = { url, html: await answer.text() };
    return location === null ? answer : this.request(new URL(location, url), 'GET');
  }
}
