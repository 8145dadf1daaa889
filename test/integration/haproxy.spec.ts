import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { temporaryFolder } from '../support/built-service';
import { eventually } from '../support/eventually';
import { freePort } from '../support/free-port';
import { tlsFile } from '../support/tls-files';

const FOLDER = join(__dirname, '..', '..', 'deploy', 'haproxy');
const isInstalled = spawnSync('haproxy', ['-v']).status === 0;
const BACKENDS = ['SHOP_EU_EVENTS', 'SHOP_EU_MANAGEMENT', 'SHOP_US_EVENTS', 'SHOP_US_MANAGEMENT'];

(isInstalled ? describe : describe.skip)(
  'deploy/haproxy (skipped when there is no haproxy on the PATH)',
  () => {
    const services = new Map<string, Server>();
    let proxy: ChildProcess;
    let url: string;

    beforeAll(async () => {
      for (const name of BACKENDS) services.set(name, await aService(name));
      const port = await freePort();
      url = `http://127.0.0.1:${port}`;
      proxy = startProxy('haproxy.cfg', services, {
        CDP_LISTEN: `127.0.0.1:${port}`,
        CDP_WORKSPACES_MAP: join(FOLDER, 'workspaces.map'),
      });
      await eventually(async () => expect((await get('shop-eu.cdp.example.com')).status).toBe(200));
    });
    afterAll(async () => {
      proxy.kill();
      await Promise.all([...services.values()].map(stop));
    });

    async function get(
      host: string,
      headers: Record<string, string> = {},
    ): Promise<{ status: number; body: string }> {
      const { statusCode, body } = await request(`${url}/v1/batch`, { headers: { host, ...headers } });
      return { status: statusCode, body: await body.text() };
    }

    it.each([
      ['events.shop-eu.cdp.example.com', 'SHOP_EU_EVENTS'],
      ['shop-eu.cdp.example.com', 'SHOP_EU_MANAGEMENT'],
      ['events.shop-us.cdp.example.com', 'SHOP_US_EVENTS'],
      ['SHOP-US.cdp.example.com:443', 'SHOP_US_MANAGEMENT'],
    ])('leads %s to its own workspace', async (host, backend) => {
      const { status, body } = await get(host);
      expect([status, JSON.parse(body).name]).toEqual([200, backend]);
    });

    it.each(['other.cdp.example.com', 'cdp.example.com', '127.0.0.1'])('leads %s nowhere', async (host) => {
      expect((await get(host)).status).toBe(404);
    });

    it('tells the service where a request came from, whatever that says of itself', async () => {
      const { body } = await get('shop-eu.cdp.example.com', { 'x-forwarded-for': '203.0.113.9' });
      expect(JSON.parse(body).headers).toMatchObject({
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-host': 'shop-eu.cdp.example.com',
      });
    });

    it('sends nothing to a workspace that is not ready, and the others go on', async () => {
      await stop(services.get('SHOP_EU_EVENTS')!);
      await eventually(async () => expect((await get('events.shop-eu.cdp.example.com')).status).toBe(503));
      expect((await get('events.shop-us.cdp.example.com')).status).toBe(200);
    });
  },
);

(isInstalled ? describe : describe.skip)(
  'deploy/haproxy, one service (skipped when there is no haproxy on the PATH)',
  () => {
    const services = new Map<string, Server>();
    const folder = temporaryFolder();
    const browser = new Agent({ connect: { ca: tlsFile('localhost.crt') } });
    let proxy: ChildProcess;
    let env: Record<string, string>;
    let url: string;
    let plainUrl: string;

    beforeAll(async () => {
      for (const name of ['CDP_EVENTS_1', 'CDP_EVENTS_2', 'CDP_MANAGEMENT_1', 'CDP_MANAGEMENT_2'])
        services.set(name, await aService(name));
      const [plain, tls] = [await freePort(), await freePort()];
      url = `https://localhost:${tls}`;
      plainUrl = `http://localhost:${plain}`;
      const certificate = join(folder.path, 'service.pem');
      writeFileSync(certificate, tlsFile('localhost.crt') + tlsFile('localhost.key'));
      env = {
        CDP_LISTEN_PLAIN: `127.0.0.1:${plain}`,
        CDP_LISTEN_TLS: `127.0.0.1:${tls}`,
        CDP_CERTIFICATE: certificate,
        CDP_PUBLIC_TLS_PORT: String(tls),
      };
      proxy = startProxy('one-service.cfg', services, env);
      await eventually(async () => expect((await get('/console')).status).toBe(200));
    });
    afterAll(async () => {
      proxy.kill();
      await browser.close();
      await Promise.all([...services.values()].map(stop));
      folder.remove();
    });

    async function get(path: string): Promise<{ status: number; body: string }> {
      const headers = { 'x-forwarded-for': '203.0.113.9' };
      const { statusCode, body } = await request(`${url}${path}`, { dispatcher: browser, headers });
      return { status: statusCode, body: await body.text() };
    }

    it.each(['/v1/batch', '/v1/hooks/a-write-key', '/beacon/v1/batch', '/api/s/s2s/batch'])(
      'leads %s to the processes that take events in, and says who asks',
      async (path) => {
        const { name, headers } = JSON.parse((await get(path)).body);
        expect(name).toMatch(/^CDP_EVENTS_[12]$/);
        expect(headers).toMatchObject({ 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'https' });
      },
    );

    it.each(['/', '/console', '/sources', '/queues', '/v1x'])('leads %s to the others', async (path) => {
      expect(JSON.parse((await get(path)).body).name).toMatch(/^CDP_MANAGEMENT_[12]$/);
    });

    it('shows nobody the metrics, and answers without TLS with the way to it', async () => {
      expect((await get('/metrics')).status).toBe(404);
      const { statusCode, headers } = await request(`${plainUrl}/console?page=2`);
      expect([statusCode, headers.location]).toEqual([308, `${url}/console?page=2`]);
    });

    it.each([
      ['cdp.example.com', 'https://cdp.example.com:443/'],
      ['cdp.example.com:8080', 'https://cdp.example.com:443/'],
      ['[2001:db8::1]:8080', 'https://[2001:db8::1]:443/'],
    ])('leads who asks for %s without TLS to port 443 where nothing else is said', async (host, location) => {
      const { CDP_PUBLIC_TLS_PORT: _, ...others } = env;
      const port = await freePort();
      const other = startProxy('one-service.cfg', services, {
        ...others,
        CDP_LISTEN_PLAIN: `127.0.0.1:${port}`,
        CDP_LISTEN_TLS: `127.0.0.1:${await freePort()}`,
      });
      try {
        const { headers } = await eventually(() =>
          request(`http://127.0.0.1:${port}/`, { headers: { host } }),
        );
        expect(headers.location).toBe(location);
      } finally {
        other.kill();
      }
    });

    it.each(['', 'cdp.example.com@evil.example', 'cdp.example.com/evil', '2001:db8::1', 'a, b'])(
      'leads who asks for the host "%s" nowhere',
      async (host) => {
        const { statusCode, headers } = await request(plainUrl, { headers: { host } });
        expect([statusCode, headers.location]).toEqual([400, undefined]);
      },
    );

    it('goes on with the processes that are left', async () => {
      await stop(services.get('CDP_EVENTS_1')!);
      await eventually(async () => {
        const { status, body } = await get('/v1/batch');
        expect([status, JSON.parse(body).name]).toEqual([200, 'CDP_EVENTS_2']);
      });
    });
  },
);

/** With the addresses of the services in the variables of their names. */
function startProxy(
  file: string,
  services: ReadonlyMap<string, Server>,
  env: Record<string, string>,
): ChildProcess {
  const addresses = [...services].map(([name, server]) => [name, `127.0.0.1:${portOf(server)}`]);
  return spawn('haproxy', ['-f', join(FOLDER, file)], {
    stdio: 'ignore',
    env: { PATH: process.env.PATH, ...Object.fromEntries(addresses), ...env },
  });
}

/** Answers with its name and what it was told. */
async function aService(name: string): Promise<Server> {
  const server = createServer(({ headers }, response) => response.end(JSON.stringify({ name, headers })));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  if (server.listening) await new Promise((resolve) => server.close(resolve));
}
