import { parseUrl } from '../http/input/parse-url';

/** Where Redis is: what `CDP_REDIS_URL` says. */
type RedisAddress =
  | { readonly kind: 'standalone'; readonly url: string }
  | (SharedSettings & {
      readonly kind: 'sentinel';
      readonly nodes: readonly RedisNode[];
      /** The name under which the sentinels know the master. */
      readonly master: string;
      readonly db: number;
      readonly sentinelUsername: string | undefined;
      readonly sentinelPassword: string | undefined;
    })
  | (SharedSettings & { readonly kind: 'cluster'; readonly nodes: readonly RedisNode[] });

interface RedisNode {
  readonly host: string;
  readonly port: number;
}

interface SharedSettings {
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly tls: boolean;
}

const REDIS_PORT = 6379;
const SENTINEL_PORT = 26379;

/** scheme, credentials, hosts, path, query: `URL` cannot read more than one host. */
const MANY_HOSTS = /^redis(s?)\+(sentinel|cluster):\/\/(?:([^@/]*)@)?([^/?]+)(?:\/([^?]*))?(?:\?(.*))?$/;

/**
 * Reads a Redis address:
 * - `redis://[user:password@]host[:port][/db]`, `rediss://…` with TLS
 * - `redis+sentinel://[user:password@]host[:port][,host…]/master[/db][?sentinelPassword=…&sentinelUsername=…]`
 * - `redis+cluster://[user:password@]host[:port][,host…]`
 * The last two with TLS: `rediss+sentinel`, `rediss+cluster`. User, password and query are percent-encoded.
 * @throws Error with a sentence that says what is wrong, without the credentials.
 */
export function parseRedisAddress(text: string): RedisAddress {
  if (/^rediss?:\/\//.test(text)) {
    if (parseUrl(text) === undefined) throw new Error('is not a valid URL');
    return { kind: 'standalone', url: text };
  }
  const match = MANY_HOSTS.exec(text);
  if (match === null) {
    throw new Error('must begin with redis://, rediss://, redis+sentinel:// or redis+cluster://');
  }
  const [, tls, kind, credentials, hosts = '', path = '', query] = match;
  const shared = { ...parseCredentials(credentials), tls: tls === 's' };
  if (kind === 'cluster') {
    if (path !== '' && path !== '0') throw new Error('a Redis Cluster has no numbered databases');
    return { kind, nodes: parseNodes(hosts, REDIS_PORT), ...shared };
  }
  const parameters = new URLSearchParams(query);
  return {
    kind: 'sentinel',
    nodes: parseNodes(hosts, SENTINEL_PORT),
    ...parseMaster(path),
    sentinelUsername: parameters.get('sentinelUsername') ?? undefined,
    sentinelPassword: parameters.get('sentinelPassword') ?? undefined,
    ...shared,
  };
}

function parseCredentials(text: string | undefined): Pick<SharedSettings, 'username' | 'password'> {
  if (text === undefined || text === '') return { username: undefined, password: undefined };
  const colon = text.indexOf(':');
  const [username, password] = colon < 0 ? ['', text] : [text.slice(0, colon), text.slice(colon + 1)];
  return {
    username: username === '' ? undefined : decodeURIComponent(username),
    password: decodeURIComponent(password),
  };
}

function parseNodes(text: string, defaultPort: number): RedisNode[] {
  return text.split(',').map((item) => {
    const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(item) ?? [];
    const host = bracketed ?? plain;
    if (host === undefined) throw new Error('each host must be host or host:port, separated by commas');
    return { host, port: port === undefined ? defaultPort : Number(port) };
  });
}

function parseMaster(path: string): { master: string; db: number } {
  const [master, db = '0', ...rest] = path.split('/');
  if (master === undefined || master === '' || rest.length > 0 || !/^\d+$/.test(db)) {
    throw new Error('a Sentinel address needs the name of the master as its path: …/master or …/master/db');
  }
  return { master: decodeURIComponent(master), db: Number(db) };
}
