import { type JWTPayload, SignJWT } from 'jose';
import {
  BOOTSTRAP_ISSUER,
  isBootstrapToken,
  signBootstrapToken,
  verifyBootstrapToken,
} from './bootstrap-token';

const KEY = 'the-encryption-key-of-the-service';
const HOUR = 3_600;

describe('a bootstrap token', () => {
  const now = (): number => Math.floor(Date.now() / 1000);

  it('has cdp:admin for an hour, and says who made it', async () => {
    const token = await signBootstrapToken(KEY, 'root@server');
    expect(isBootstrapToken(token)).toBe(true);
    const { exp = 0, ...claims } = await verifyBootstrapToken(token, KEY);
    expect(claims).toMatchObject({ sub: 'root@server', iss: BOOTSTRAP_ISSUER, scope: 'cdp:admin' });
    expect(exp - now()).toBeLessThanOrEqual(HOUR);
  });

  it('is taken with any key of the list, so that keys can be rotated, and with no other', async () => {
    const token = await signBootstrapToken(KEY, 'root@server');
    await expect(verifyBootstrapToken(token, `another-encryption-key,${KEY}`)).resolves.toBeDefined();
    await expect(verifyBootstrapToken(token, 'another-encryption-key')).rejects.toMatchObject({
      reason: 'key',
    });
  });

  it.each([
    ['the encryption key itself', KEY],
    ['an empty key', ''],
  ])('is not signed with %s', async (_, secret) => {
    const [header = '', claims = ''] = (await signBootstrapToken(KEY, 'root@server')).split('.');
    const signed = new SignJWT(JSON.parse(Buffer.from(claims, 'base64url').toString()) as JWTPayload)
      .setProtectedHeader(JSON.parse(Buffer.from(header, 'base64url').toString()) as { alg: string })
      .sign(Buffer.from(secret.padEnd(1, '\0')));
    await expect(verifyBootstrapToken(await signed, KEY)).rejects.toThrow('signature');
  });

  it('is refused after an hour', async () => {
    const token = await signBootstrapToken(KEY, 'root@server');
    const clock = jest.useFakeTimers({ now: Date.now() + (HOUR + 60) * 1000 });
    try {
      await expect(verifyBootstrapToken(token, KEY)).rejects.toThrow('exp');
    } finally {
      clock.useRealTimers();
    }
  });

  it.each(['', 'x', 'a.b.c', 'e30.e30.'])('is not %j', (token) => {
    expect(isBootstrapToken(token)).toBe(false);
  });
});
