import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { PoolClient } from 'pg';
import { Database } from '../../src/platform/database/database';
import { Readiness } from '../../src/platform/health/readiness';
import { eventually } from '../support/eventually';
import { startTestService, type TestService } from '../support/test-service';

describe('health and metrics', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.close());

  it('is live and ready', async () => {
    expect((await fetch(`${service.url}/health/live`)).status).toBe(200);
    const answer = await fetch(`${service.url}/health/ready`);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      ready: true,
      checks: { database: 'up', queue: 'up', shutdown: 'no' },
    });
  });

  it('answers while every connection of the pool is taken', async () => {
    const { pool } = service.app.get(Database);
    const taken: PoolClient[] = [];
    while (taken.length < pool.options.max) taken.push(await pool.connect());
    try {
      expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
      const metrics = await (await fetch(`${service.url}/metrics`)).text();
      expect(metrics).toContain(`cdp_database_pool_connections{state="busy"} ${pool.options.max}`);
    } finally {
      for (const client of taken) client.release();
    }
  });

  it('is ready again after its connection was cut', async () => {
    await service.app.get(Database).query(
      `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name = 'cdp-service-health' and datname = current_database()`,
    );
    await fetch(`${service.url}/health/ready`);
    expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
  });

  it('serves the metrics of the process in the format of Prometheus', async () => {
    const answer = await fetch(`${service.url}/metrics`);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(await answer.text()).toContain('process_resident_memory_bytes');
  });

  const speak = async (text: string): Promise<{ socket: Socket; answers: string[] }> => {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    const answers: string[] = [];
    socket.on('data', (data) => answers.push(String(data))).on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(text);
    return { socket, answers };
  };

  it.each(['GET /health/live', 'POST /v1/track'])('answers no thousand of %s at once', async (start) => {
    const request = `${start} HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n`;
    const few = await speak(request.repeat(10));
    await eventually(() => expect(few.answers.join('').match(/HTTP\/1\.1 \d/g)).toHaveLength(10));
    few.socket.destroy();
    const many = await speak(request.repeat(5_000));
    await new Promise((resolve) => many.socket.once('close', resolve));
    expect(many.answers.join('').match(/HTTP\/1\.1 \d/g)?.length ?? 0).toBeLessThan(100);
  });

  it.each(['GET /health/live', 'PUT /config', 'POST /v1/m', 'POST /nowhere'])(
    'reads no body without an end: %s',
    async (start) => {
      const headers = 'host: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked';
      const { socket, answers } = await speak(`${start} HTTP/1.1\r\n${headers}\r\n\r\n1\r\n{\r\n`);
      await once(socket, 'close');
      expect(answers.join('').toLowerCase()).toContain('connection: close');
    },
  );

  it('ends the connection of a request that was under way when it began to drain', async () => {
    const { socket, answers } = await speak(
      'POST /v1/track HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\nexpect: 100-continue\r\n\r\n',
    );
    await eventually(() => expect(answers.join('')).toContain('100 Continue'));
    service.app.get(Readiness).drain();
    socket.write('{}');
    await once(socket, 'close');
    expect(answers.join('').toLowerCase()).toContain('connection: close');
  });

  it('is not ready while it drains', async () => {
    service.app.get(Readiness).drain();
    const answer = await fetch(`${service.url}/health/ready`);
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ ready: false, checks: { shutdown: 'draining' } });
  });
});
