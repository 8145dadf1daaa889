import type { lookup, LookupAddress } from 'node:dns';
import { createServer, type Server } from 'node:http';
import { isIP, type AddressInfo } from 'node:net';
import { Pool } from 'undici';
import { ANSWERS, HOSTILE_HOSTS, HOSTILE_URLS } from '../../../test/support/hostile-targets';
import { CLIENT_A, PRIVATE_CA } from '../../../test/support/tls-files';
import { Config } from '../../platform/config/config';
import type { TlsMaterial } from '../connector-context';
import { EgressPolicy } from './egress-policy';
import { guardedConnect } from './guarded-connect';
import { EgressProxy } from './egress-proxy';
import { openGuardedSocket } from './guarded-socket';
import { parseTarget } from './parse-target';

class PolicyWithAnswers extends EgressPolicy {
  answers: string[] = [];
  asked = 0;

  protected override readonly resolve = ((_name: string, _options: object, callback: Answered) => {
    this.asked += 1;
    const addresses = this.answers.map((address) => ({ address, family: isIP(address) || 4 }));
    process.nextTick(() => callback(null, addresses));
  }) as unknown as typeof lookup;
}

type Answered = (error: null, addresses: LookupAddress[]) => void;

function policyIn(environment: Record<string, string>): PolicyWithAnswers {
  return new PolicyWithAnswers(Config.from({ NODE_ENV: 'production', ...environment }));
}

const noProxy = new EgressProxy(Config.from({}));

describe('the egress policy', () => {
  const policy = policyIn({});

  beforeEach(() => {
    policy.answers = ['127.0.0.1']; // What a name that slips through would be.
  });

  it.each(HOSTILE_HOSTS)('refuses http://%s/', async (host) => {
    expect(await policy.refusal(`http://${host}/`)).toEqual(expect.any(String));
    expect(await policy.refusal(`https://${host}:8443/path?query`)).toEqual(expect.any(String));
  });

  it.each(HOSTILE_URLS)('refuses %j', async (url) => {
    policy.answers = ['93.184.216.34'];
    expect(await policy.refusal(url)).toEqual(expect.any(String));
  });

  it('knows more than a hundred hostile targets', () => {
    expect(HOSTILE_HOSTS.length + HOSTILE_URLS.length + ANSWERS.length).toBeGreaterThan(150);
  });

  it.each(ANSWERS)('judges a name that resolves to %s', async (_what, addresses, allowed) => {
    policy.answers = addresses;
    // A name that does not resolve when a destination is written may do so later.
    const expected = allowed || addresses.length === 0;
    expect((await policy.refusal('https://example.com/')) === undefined).toBe(expected);
    const error = await new Promise((resolve) =>
      policy.lookup('example.com', { all: true }, (failure) => resolve(failure)),
    );
    expect(error === null).toBe(allowed);
  });

  it('looks a name up once for all who ask meanwhile, and others beside it', async () => {
    const policy = policyIn({});
    const look = (name: string): Promise<unknown> =>
      new Promise((resolve) => policy.lookup(name, { all: true }, (_error, addresses) => resolve(addresses)));
    policy.answers = ['93.184.216.34'];
    const all = [...Array.from({ length: 40 }, () => 'silent.example'), 'other.example'].map(look);
    const refusals = Array.from({ length: 40 }, () => policy.refusal('https://silent.example/'));
    expect(policy.asked).toBe(2);
    for (const addresses of await Promise.all(all))
      expect(addresses).toEqual([{ address: '93.184.216.34', family: 4 }]);
    for (const refusal of await Promise.all(refusals)) expect(refusal).toBeUndefined();
    // What was answered before is not kept.
    policy.answers = ['93.184.216.35'];
    expect(await look('silent.example')).toEqual([{ address: '93.184.216.35', family: 4 }]);
    expect(policy.asked).toBe(3);
  });

  it.each([
    'https://example.com/hooks?a=b',
    'http://93.184.216.34:8080/',
    'https://[2606:4700::1111]/',
    'https://bücher.example/',
  ])('lets %s through', async (url) => {
    policy.answers = ['93.184.216.34'];
    expect(await policy.refusal(url)).toBeUndefined();
  });

  it('opens exactly the networks that CDP_EGRESS_ALLOW names', async () => {
    const open = policyIn({ CDP_EGRESS_ALLOW: '10.1.0.0/16,::1/128' });
    expect(await open.refusal('http://10.1.2.3/')).toBeUndefined();
    expect(await open.refusal('http://[::ffff:10.1.2.3]/')).toBeUndefined();
    expect(await open.refusal('http://[::1]/')).toBeUndefined();
    expect(await open.refusal('http://10.2.0.1/')).toBeDefined();
    expect(await open.refusal('http://127.0.0.1/')).toBeDefined();
  });

  it('opens loopback outside of production only, and not when CDP_EGRESS_ALLOW is empty', async () => {
    expect(await new EgressPolicy(Config.from({})).refusal('http://127.0.0.1/')).toBeUndefined();
    expect(
      await new EgressPolicy(Config.from({ CDP_EGRESS_ALLOW: '' })).refusal('http://127.0.0.1/'),
    ).toBeDefined();
    expect(await policy.refusal('http://127.0.0.1/')).toBeDefined();
  });

  it('refuses to boot with a CDP_EGRESS_ALLOW that is no list of CIDRs', () => {
    expect(() => Config.from({ CDP_EGRESS_ALLOW: '10.0.0.0/8,everything' })).toThrow(/CDP_EGRESS_ALLOW/);
  });
});

describe('a guarded connection', () => {
  let target: Server;
  let reached = 0;
  let port: number;

  beforeAll(async () => {
    target = createServer((_request, response) => response.end());
    target.on('connection', () => (reached += 1));
    await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
    ({ port } = target.address() as AddressInfo);
  });
  afterAll(() => target.close());

  async function get(policy: EgressPolicy, url: string, tls?: TlsMaterial): Promise<number> {
    const { origin } = new URL(url);
    const pool = new Pool(origin, { connect: guardedConnect(policy, noProxy, { timeoutMs: 2_000, tls }) });
    try {
      const answer = await pool.request({ method: 'GET', path: '/' });
      await answer.body.dump();
      return answer.statusCode;
    } finally {
      await pool.destroy();
    }
  }

  it('never reaches its target by a literal address, a name, or a name that changes its mind', async () => {
    const policy = policyIn({});
    policy.answers = ['127.0.0.1'];
    const hosts = ['127.0.0.1', '0x7f.1', '2130706433', '[::ffff:127.0.0.1]', 'rebind.example', 'localhost'];
    for (const host of hosts) {
      await expect(get(policy, `http://${host}:${port}/`)).rejects.toThrow(/address/);
      await expect(get(policy, `https://${host}:${port}/`, { ca: PRIVATE_CA, ...CLIENT_A })).rejects.toThrow(
        /address/,
      );
    }
    expect(reached).toBe(0);
  });

  it('checks the address that it is really connected to', async () => {
    const policy = policyIn({});
    // As if the lookup had been fooled: it lets the name through, the connection ends up at loopback all the same.
    Object.assign(policy, {
      lookup: (_name: string, _options: object, callback: Answered) =>
        callback(null, [{ address: '127.0.0.1', family: 4 }]),
    });
    await expect(get(policy, `http://fooled.example:${port}/`)).rejects.toThrow(/connected address/);
  });

  it('is made under the same rules for what is not HTTP', async () => {
    const policy = policyIn({});
    policy.answers = ['127.0.0.1'];
    const before = reached;
    const signal = AbortSignal.timeout(5_000);
    for (const host of [
      '127.0.0.1',
      '::ffff:127.0.0.1',
      '0x7f.1',
      '2130706433',
      'rebind.example',
      'localhost',
    ])
      await expect(openGuardedSocket(policy, noProxy, { host, port }, signal)).rejects.toThrow(/address/);
    const aborted = AbortSignal.abort(new Error('the try is over'));
    await expect(openGuardedSocket(policy, noProxy, { host: 'example.com', port }, aborted)).rejects.toThrow(
      'over',
    );
    expect(reached).toBe(before);
    const open = policyIn({ CDP_EGRESS_ALLOW: '127.0.0.0/8' });
    const socket = await openGuardedSocket(open, noProxy, { host: '127.0.0.1', port }, signal);
    expect(socket.remoteAddress).toBe('127.0.0.1');
    socket.destroy();
  });

  it('reaches what is allowed', async () => {
    const policy = policyIn({ CDP_EGRESS_ALLOW: '127.0.0.0/8' });
    policy.answers = ['127.0.0.1'];
    expect(await get(policy, `http://127.0.0.1:${port}/`)).toBe(200);
    expect(await get(policy, `http://some.example:${port}/`)).toBe(200);
  });
});

describe('parseTarget', () => {
  it('answers origin, path and host', () => {
    expect(parseTarget('https://Example.com:8443/a/b?c=d#e')).toEqual({
      origin: 'https://example.com:8443',
      path: '/a/b?c=d',
      host: 'example.com',
    });
  });
});
