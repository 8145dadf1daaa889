import type { lookup, LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createSecureServer, type Server } from 'node:https';
import { type AddressInfo, createServer, isIP, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ConnectProxy, type Tunnelling } from '../../../test/support/connect-proxy';
import { ANSWERS, HOSTILE_HOSTS } from '../../../test/support/hostile-targets';
import { Receiver } from '../../../test/support/receiver';
import { CLIENT_A, PRIVATE_CA } from '../../../test/support/tls-files';
import { Config } from '../../platform/config/config';
import type { OutboundResponse, SocketTarget, TlsMaterial } from '../connector-context';
import { EgressHttp } from './egress-http';
import { EgressPolicy } from './egress-policy';
import { EgressProxy } from './egress-proxy';
import { errorClassOf } from './error-class';
import { HttpClient } from './http-client';

const TLS = join(__dirname, '../../../test/fixtures/tls');

type Answered = (error: null, addresses: LookupAddress[]) => void;

/** A server with TLS whose certificate nobody trusts. `names` are those that clients asked for. */
async function aStranger(): Promise<{ server: Server; host: string; names: string[] }> {
  const [key, cert] = ['key', 'crt'].map((kind) => readFileSync(join(TLS, `localhost.${kind}`)));
  const names: string[] = [];
  const SNICallback = (name: string, done: (error: null) => void): void => {
    names.push(name);
    done(null);
  };
  const server = createSecureServer({ key, cert, SNICallback });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, host: `localhost:${(server.address() as AddressInfo).port}`, names };
}

describe('the way out through a proxy', () => {
  let proxy: ConnectProxy;
  let receiver: Receiver;
  const clients: HttpClient[] = [];

  beforeEach(async () => {
    proxy = await ConnectProxy.start();
    receiver = await Receiver.start();
    proxy.names.set('orders.example.test', '127.0.0.1');
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.onModuleDestroy()));
    await receiver.stop();
    await proxy.stop();
  });

  function egressWith(variables: Record<string, string> = {}, policyOf = EgressPolicy): EgressHttp {
    const config = Config.from({ CDP_EGRESS_PROXY: proxy.url, ...variables });
    const policy = new policyOf(config);
    const way = new EgressProxy(config);
    const client = new HttpClient(policy, way);
    clients.push(client);
    return new EgressHttp(policy, client, way);
  }

  function post(
    egress: EgressHttp,
    url: string,
    timeoutMs = 5_000,
    tls?: TlsMaterial,
  ): Promise<OutboundResponse> {
    const attempt = { destinationId: 'd1', deadline: performance.now() + timeoutMs };
    return egress.request({ method: 'POST', url, body: '{}', tls }, attempt);
  }

  const named = (): string => receiver.url.replace('127.0.0.1', 'orders.example.test');

  it('reaches a name that only the proxy can resolve, by one tunnel for all requests', async () => {
    const egress = egressWith();
    for (let n = 0; n < 3; n += 1) {
      expect(await post(egress, named())).toMatchObject({ status: 200 });
      await delay(1); // The connection is free again a moment after the answer.
    }
    expect(proxy.asked).toEqual([new URL(named()).host]);
    expect(receiver.received.map(({ headers }) => headers.host)).toEqual(Array(3).fill(proxy.asked[0]));
    expect(proxy.others).toBe(0);
  });

  it('asks for a tunnel to port 80 or 443 where the address names none', async () => {
    proxy.tunnelling = (_request, socket) => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    const egress = egressWith();
    for (const url of ['http://orders.example.test/', 'https://orders.example.test/', 'https://[2600::1]/'])
      await expect(post(egress, url)).rejects.toMatchObject({ errorClass: 'proxy_failed' });
    expect(proxy.asked).toEqual(['orders.example.test:80', 'orders.example.test:443', '[2600::1]:443']);
  });

  it('speaks TLS with the receiver itself, and checks its certificate', async () => {
    const { server, host, names } = await aStranger();
    try {
      await expect(post(egressWith(), `https://${host}/`)).rejects.toMatchObject({
        errorClass: 'tls_failed',
      });
      expect(names).toEqual(['localhost']);
      expect(proxy.asked).toEqual([host]);
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it('tells the proxy who it is, and nobody else what it says there', async () => {
    proxy.demand('the cdp', 'p:ä&ss');
    const address = new URL(proxy.url);
    [address.username, address.password] = ['the cdp', 'p:ä&ss'];
    expect(await post(egressWith({ CDP_EGRESS_PROXY: address.href }), named())).toMatchObject({
      status: 200,
    });
    expect(JSON.stringify(receiver.received)).not.toMatch(/proxy-authorization/i);
    await expect(post(egressWith(), named())).rejects.toMatchObject({
      errorClass: 'proxy_failed',
      details: {},
    });
    expect(receiver.received).toHaveLength(1);
  });

  it('goes past it where it is told to', async () => {
    const bypassing = egressWith({ CDP_EGRESS_PROXY_BYPASS: '127.0.0.0/8, .internal.example, localhost' });
    expect(await post(bypassing, receiver.url)).toMatchObject({ status: 200 });
    expect(await post(bypassing, receiver.url.replace('127.0.0.1', 'localhost'))).toMatchObject({
      status: 200,
    });
    expect(proxy.asked).toEqual([]);
    await post(bypassing, named());
    expect(proxy.asked).toHaveLength(1);
  });

  it.each([
    '127.0.0.1:3128',
    'socks5://proxy:1080',
    'http://proxy:3128/path',
    'http://a:%zz@proxy',
    'http://a:%ff@proxy',
    'http://',
  ])('does not start with the proxy %j', (address) => {
    expect(() => Config.from({ CDP_EGRESS_PROXY: address })).toThrow(/CDP_EGRESS_PROXY/);
  });

  it.each(['10.0.0.0/33', 'http://a', 'a b', '*'])('does not start with the bypass %j', (bypass) => {
    expect(() => Config.from({ CDP_EGRESS_PROXY_BYPASS: bypass })).toThrow(/CDP_EGRESS_PROXY_BYPASS/);
  });

  describe('asks for no tunnel to what the policy forbids', () => {
    const STRICT = { CDP_EGRESS_ALLOW: '' };

    it.each(['169.254.169.254..', ...HOSTILE_HOSTS.filter((host) => !host.endsWith('.invalid'))])(
      '%s',
      async (host) => {
        const egress = egressWith(STRICT);
        for (const [scheme, tls] of [
          ['http', undefined],
          ['https', { ca: PRIVATE_CA, ...CLIENT_A }],
        ] as const)
          await expect(post(egress, `${scheme}://${host}/`, 3_000, tls)).rejects.toMatchObject({
            errorClass: 'address_not_allowed',
          });
        expect(proxy.asked).toEqual([]);
      },
    );

    it.each(ANSWERS.filter(([, addresses, allowed]) => !allowed && addresses.length > 0))(
      'a name that resolves here to %s',
      async (_what, addresses) => {
        class Resolving extends EgressPolicy {
          protected override readonly resolve = ((...[, , answer]: [string, object, Answered]) =>
            answer(
              null,
              addresses.map((address) => ({ address, family: isIP(address) })),
            )) as typeof lookup;
        }
        await expect(post(egressWith(STRICT, Resolving), named())).rejects.toMatchObject({
          errorClass: 'address_not_allowed',
        });
        expect(proxy.asked).toEqual([]);
      },
    );

    const SOCKETS = [
      'localhost',
      '169.254.169.254..',
      'metadata.google.internal',
      'Metadata.',
      '::ffff:10.0.0.1',
      '::1',
      '[::1]',
      '10.0.0.1:22',
    ];
    it.each([...SOCKETS, ...HOSTILE_HOSTS.filter((host) => !host.endsWith('.invalid'))])(
      'for a socket: %s',
      async (host) => {
        const signal = AbortSignal.timeout(3_000);
        await expect(egressWith(STRICT).connect({ host, port: 80 }, signal)).rejects.toMatchObject({
          errorClass: 'address_not_allowed',
        });
        expect(proxy.asked).toEqual([]);
      },
    );
  });

  it('opens the sockets of connectors, and loses nothing of what the receiver says first', async () => {
    const greeter = createServer((socket) => void socket.end('220 hello'));
    await new Promise<void>((resolve) => greeter.listen(0, '127.0.0.1', resolve));
    const target: SocketTarget = { host: '127.0.0.1', port: (greeter.address() as AddressInfo).port };
    const socket = await egressWith().connect(target, AbortSignal.timeout(5_000));
    const heard: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => heard.push(chunk));
    await once(socket, 'close');
    expect(Buffer.concat(heard).toString()).toBe('220 hello');
    expect(proxy.asked).toEqual([`${target.host}:${target.port}`]);
    await new Promise((resolve) => greeter.close(resolve));
  });

  const endless = (socket: Socket): void => {
    while (socket.write(`X-Filler: ${'x'.repeat(8_000)}\r\n`)) if (socket.destroyed) return;
    socket.once('drain', () => endless(socket));
  };
  it.each<[string, Tunnelling, string]>([
    ['wants credentials', (_request, socket) => socket.end('HTTP/1.1 407 No\r\n\r\n'), 'proxy_failed'],
    ['cannot connect', (_request, socket) => socket.end('HTTP/1.1 502 No\r\n\r\n'), 'proxy_failed'],
    [
      'redirects',
      (_request, socket) => socket.end('HTTP/1.1 302 No\r\nLocation: http://a/\r\n\r\n'),
      'proxy_failed',
    ],
    ['closes', (_request, socket) => socket.destroy(), 'proxy_failed'],
    ['speaks no HTTP', (_request, socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'), 'proxy_failed'],
    [
      'answers without end',
      (_request, socket) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        endless(socket);
      },
      'proxy_failed',
    ],
    ['says nothing', () => undefined, 'timeout'],
  ])('fails, to be tried again, when the proxy %s', async (_what, tunnelling, errorClass) => {
    proxy.tunnelling = tunnelling;
    const error: unknown = await post(egressWith(), named(), 500).catch((failure: unknown) => failure);
    expect(error).toMatchObject({ errorClass });
    expect(receiver.received).toEqual([]);
  });

  it('is given up as a proxy that failed when it says nothing for as long as a connection may take', async () => {
    proxy.tunnelling = () => undefined;
    const way = new EgressProxy(Config.from({ CDP_EGRESS_PROXY: proxy.url }));
    const target = { host: 'orders.example.test', port: 80 };
    const error: unknown = await way
      .connect(target, AbortSignal.timeout(100))
      .catch((failure: unknown) => failure);
    expect(errorClassOf(error)).toBe('proxy_failed');
    expect(errorClassOf(new DOMException('over', 'TimeoutError'))).toBe('connect_failed');
  });

  it('is asked for by its own name where it speaks TLS itself, not by that of the target', async () => {
    const { server, host, names } = await aStranger();
    try {
      const egress = egressWith({ CDP_EGRESS_PROXY: `https://${host}` });
      await expect(post(egress, named())).rejects.toMatchObject({ errorClass: 'proxy_failed' });
      expect(names).toEqual(['localhost']);
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it('fails when the proxy is away', async () => {
    const egress = egressWith();
    await proxy.stop();
    await expect(post(egress, named())).rejects.toMatchObject({ errorClass: 'proxy_failed' });
    proxy = await ConnectProxy.start();
  });
});
