import { Config } from '../config/config';
import { SecretBox } from '../secrets/secret-box';
import { ProviderLogin } from './provider-login';
import { SealedCookie } from './sealed-cookie';

const ISSUER = { CDP_JWT_ISSUER: 'https://login.example.com' };
const ADDRESS = { CDP_PUBLIC_URL: 'https://cdp.example.com' };
const FINDS = 'CDP_JWT_ISSUER is not set: CDP_OIDC_CLIENT_ID needs it, to find the provider.';
const IS_FOUND = 'CDP_PUBLIC_URL is not set: CDP_OIDC_CLIENT_ID needs it, to be found by the provider.';

describe('the login of a browser at an identity provider', () => {
  it.each([
    ['both', {}, `${FINDS}\n${IS_FOUND}`],
    ['the issuer', ADDRESS, FINDS],
    ['the address', ISSUER, IS_FOUND],
  ])('names what is missing: %s', (_what, env, message) => {
    const config = Config.from({
      CDP_OIDC_CLIENT_ID: 'board',
      CDP_ENCRYPTION_KEY: 'a key of some length',
      ...env,
    });
    const cookie = new SealedCookie<never>('login', {}, new SecretBox(config));
    expect(() => ProviderLogin.from(config, cookie)).toThrow(new Error(message));
  });
});
