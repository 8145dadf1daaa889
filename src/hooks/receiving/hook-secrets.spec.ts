import { Config } from '../../platform/config/config';
import { SecretBox } from '../../platform/secrets/secret-box';
import { sealSignature } from '../../sources/signature/sealed-signature';
import type { Signature } from '../../sources/signature/signature';
import { SecretsUnavailableError } from '../hook-problems';
import { HookSecrets } from './hook-secrets';

const withKey = Config.from({ CDP_ENCRYPTION_KEY: 'a key of some length' });
const signature: Signature = { scheme: 'github', secrets: ['a'], toleranceSeconds: 300, hmac: null };
const sealed = sealSignature(signature, new SecretBox(withKey));

describe('HookSecrets', () => {
  it('opens what is sealed', () => {
    expect(new HookSecrets(withKey).open(sealed)).toEqual(signature);
  });

  it.each([
    ['has no key', {}],
    ['has another key', { CDP_ENCRYPTION_KEY: 'another key of some length' }],
  ])('says so in a process that %s, and takes what is not signed', (_what, env) => {
    const secrets = new HookSecrets(Config.from(env));
    expect(() => secrets.open(sealed)).toThrow(SecretsUnavailableError);
    expect(secrets.open(sealSignature(null, new SecretBox(withKey)))).toBeNull();
  });
});
