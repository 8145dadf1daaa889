// A real OpenID provider in a process of its own: oidc-provider does not load inside Jest's sandbox.
// Over IPC it takes 'rotate' (new keys), 'down' and 'count', and tells its private keys, for tokens that attack.
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair } from 'jose';
import { Provider } from 'oidc-provider';

const [audience = 'cdp', redirectUri = 'http://127.0.0.1/none'] = process.argv.slice(2);
const SCOPES = ['openid', 'cdp:read', 'cdp:write', 'cdp:privacy', 'cdp:admin'];
let generation = 0;
let handle = undefined;
let requestsForKeys = 0;

const server = createServer((request, response) => {
  if (handle === undefined) return void request.socket.destroy();
  if (request.url.startsWith('/jwks')) requestsForKeys += 1;
  handle(request, response);
});
server.listen(0, '127.0.0.1', () => void rotate());

process.on('message', (message) => {
  if (message === 'rotate') return void rotate();
  if (message === 'down') handle = undefined;
  process.send({ requestsForKeys });
});
process.on('disconnect', () => process.exit());

async function rotate() {
  generation += 1;
  const keys = await Promise.all(
    ['RS256', 'ES256', 'EdDSA'].map(async (alg) => {
      const { privateKey } = await generateKeyPair(alg, { extractable: true });
      return { ...(await exportJWK(privateKey)), alg, use: 'sig', kid: `${alg}-${generation}` };
    }),
  );
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, {
    jwks: { keys },
    scopes: SCOPES,
    clients: [
      {
        client_id: 'machine',
        client_secret: 'machine-secret',
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
      },
      {
        client_id: 'board',
        client_secret: 'board-secret',
        grant_types: ['authorization_code'],
        redirect_uris: [redirectUri],
        response_types: ['code'],
      },
    ],
    pkce: { required: () => true },
    features: {
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => undefined,
        getResourceServerInfo: () => ({
          audience,
          scope: SCOPES.join(' '),
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
  });
  handle = provider.callback();
  process.send({ issuer, keys });
}
