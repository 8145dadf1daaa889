import { Logger } from '@nestjs/common';
import { type JWTPayload, SignJWT } from 'jose';
import { Config } from '../config/config';
import type { BootstrapTokens } from './bootstrap-tokens';
import { identityKey } from './principal';
import { TokenVerifier } from './token-verifier';

const SECRET = 'secret-of-some-length-for-tests';
const ENV = { CDP_JWT_SECRET: SECRET, CDP_JWT_ISSUER: 'https://login.example', CDP_JWT_AUDIENCE: 'cdp' };

interface Made {
  readonly claims?: JWTPayload;
  readonly typ?: string;
  readonly secret?: string;
}

function tokenOf({ claims = {}, typ, secret = SECRET }: Made = {}): Promise<string> {
  const exp = Math.floor(Date.now() / 1000) + 600;
  return new SignJWT({ iss: ENV.CDP_JWT_ISSUER, aud: 'cdp', exp, ...claims })
    .setProtectedHeader({ alg: 'HS256', ...(typ === undefined ? {} : { typ }) })
    .sign(Buffer.from(secret));
}

describe('TokenVerifier', () => {
  const verifierIn = (environment: string): TokenVerifier =>
    new TokenVerifier(Config.from({ ...ENV, NODE_ENV: environment }), {} as BootstrapTokens);
  const production = verifierIn('production');
  let warn: jest.SpyInstance;
  beforeEach(() => (warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue()));
  afterEach(() => warn.mockRestore());

  it.each([
    ['the subject', { sub: 'ada', client_id: 'shop' }, { subject: 'ada', kind: 'subject' }],
    ['the client of a machine', { client_id: 'shop', azp: 'other' }, { subject: 'shop', kind: 'client' }],
    ['the authorized party', { azp: 'shop' }, { subject: 'shop', kind: 'client' }],
  ])('knows somebody by %s, and by the issuer', async (_, claims, identity) => {
    const principal = await production.verify(await tokenOf({ claims }));
    expect(principal).toMatchObject({ ...identity, issuer: ENV.CDP_JWT_ISSUER });
  });

  it('keeps a subject and a client of the same name apart', async () => {
    const keys = await Promise.all(
      [{ sub: 'shop' }, { client_id: 'shop' }].map(async (claims) =>
        identityKey(await production.verify(await tokenOf({ claims }))),
      ),
    );
    expect(new Set(keys).size).toBe(2);
  });

  it.each([[{}], [{ sub: '' }], [{ sub: 'nul\0' }], [{ client_id: '' }]])(
    'takes no token in production that names nobody: %j',
    async (claims) => {
      await expect(production.verify(await tokenOf({ claims }))).rejects.toMatchObject({ reason: 'subject' });
    },
  );

  it('takes each nameless token for somebody else outside of production', async () => {
    const development = verifierIn('development');
    const tokens = await Promise.all([tokenOf({ claims: { jti: '1' } }), tokenOf({ claims: { jti: '2' } })]);
    const [one, other] = await Promise.all(tokens.map((token) => development.verify(token)));
    expect(one?.kind).toBe('unknown');
    expect(one?.subject).not.toBe(other?.subject);
  });

  it.each<[string, Made, RegExp]>([
    ['issuer', { claims: { iss: 'https://evil.example' } }, /"iss".*"https:\/\/evil\.example"/],
    ['audience', { claims: { aud: 'other' } }, /"aud".*"other"/],
    ['expired', { claims: { exp: 1 } }, /"exp"/],
    ['signature', { secret: 'another-secret-of-some-length' }, /signature/],
    ['type', { claims: { sub: 'ada' }, typ: 'logout+jwt' }, /logout\+jwt/],
    ['type', { claims: { sub: 'ada', typ: 'ID' } }, /typ id/],
    ['subject', {}, /names nobody/],
  ])('says in the log that it was the %s, and never the token', async (reason, made, text) => {
    const token = await tokenOf(made);
    await expect(verifierIn('production').verify(token)).rejects.toMatchObject({ reason });
    expect(warn.mock.calls).toEqual([[expect.stringMatching(text), { reason }]]);
    expect(JSON.stringify(warn.mock.calls)).not.toContain(token.split('.')[1]);
  });

  it('does not fill the log in a flood', async () => {
    const verifier = verifierIn('production');
    for (let index = 0; index < 200; index += 1) {
      await expect(verifier.verify(`guess.${index}.x`)).rejects.toMatchObject({ reason: 'malformed' });
    }
    expect(warn).toHaveBeenCalledTimes(1);
  });
});
