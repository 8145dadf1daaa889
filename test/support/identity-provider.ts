import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { JWK } from 'jose';

type PrivateKey = JWK & { kid: string; alg: string };

/** A real OpenID provider (`oidc-provider`) in a process of its own. */
export class IdentityProvider {
  private constructor(
    private readonly child: ReturnType<typeof fork>,
    readonly issuer: string,
    /** Its present keys, private parts included: RS256, ES256, EdDSA. */
    public keys: readonly PrivateKey[],
  ) {}

  static async start(audience: string, redirectUri = 'http://127.0.0.1/none'): Promise<IdentityProvider> {
    const child = fork(join(__dirname, 'oidc-server.mjs'), [audience, redirectUri], { silent: true });
    const [{ issuer, keys }] = (await once(child, 'message')) as [{ issuer: string; keys: PrivateKey[] }];
    return new IdentityProvider(child, issuer, keys);
  }

  /** New keys; the old ones are withdrawn. */
  async rotate(): Promise<void> {
    const answer = once(this.child, 'message');
    this.child.send('rotate');
    this.keys = ((await answer) as [{ keys: PrivateKey[] }])[0].keys;
  }

  async goDown(): Promise<void> {
    await this.ask('down');
  }

  /** How often its key set was fetched so far. */
  async requestsForKeys(): Promise<number> {
    return (await this.ask('count')).requestsForKeys;
  }

  /** A token as a machine gets it: client credentials, for the given audience. */
  async token(scope: string, resource: string): Promise<string> {
    const answer = await fetch(`${this.issuer}/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from('machine:machine-secret').toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope, resource }),
    });
    return ((await answer.json()) as { access_token: string }).access_token;
  }

  async stop(): Promise<void> {
    const exit = once(this.child, 'exit');
    this.child.disconnect();
    await exit;
  }

  private async ask(message: string): Promise<{ requestsForKeys: number }> {
    const answer = once(this.child, 'message');
    this.child.send(message);
    return ((await answer) as [{ requestsForKeys: number }])[0];
  }
}
