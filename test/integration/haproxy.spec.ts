import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { request } from 'undici';
import { eventually } from '../support/eventually';
import { freePort } from '../support/free-port';

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
      const addresses = [...services].map(([name, server]) => [name, `127.0.0.1:${portOf(server)}`]);
      proxy = spawn('haproxy', ['-f', join(FOLDER, 'haproxy.cfg')], {
        stdio: 'ignore',
        env: {
          PATH: process.env.PATH,
          ...Object.fromEntries(addresses),
          CDP_LISTEN: `127.0.0.1:${port}`,
          CDP_WORKSPACES_MAP: join(FOLDER, 'workspaces.map'),
        },
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
