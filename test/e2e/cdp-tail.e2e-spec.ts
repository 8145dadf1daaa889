import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { aSource } from '../support/a-source';
import { aToken } from '../support/a-token';
import { buildService } from '../support/built-service';
import { eventually } from '../support/eventually';
import { runToEnd } from '../support/run-to-end';
import { sendTracks } from '../support/send-events';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy';
import { startTestService, type TestService } from '../support/test-service';

const CDP = join(__dirname, '../../dist/cli/cdp.js');

describe('cdp tail', () => {
  let service: TestService;
  let proxy: TcpProxy;
  let env: Record<string, string>;
  let writeKey: string;
  const children: ChildProcess[] = [];

  beforeAll(async () => {
    buildService();
    service = await startTestService({ env: { CDP_ROLES: 'management,events' } });
    const { hostname, port } = new URL(service.url);
    proxy = await startTcpProxy(hostname, Number(port));
    ({ writeKey } = await aSource(service.databaseUrl));
    env = { CDP_URL: `http://127.0.0.1:${proxy.port}`, CDP_TOKEN: await aToken(service, ['cdp:read']) };
  });
  afterEach(() => {
    for (const child of children.splice(0)) child.kill();
  });
  afterAll(async () => {
    await proxy.close();
    await service.close();
  });

  /** What the command has written so far. */
  function watch(...args: string[]): { lines: () => string[]; errors: () => string } {
    const child = spawn(process.execPath, [CDP, 'tail', ...args], { env });
    children.push(child);
    let [output, errors] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    return { lines: () => output.split('\n').slice(0, -1), errors: () => errors };
  }
  const send = (messageId: string): Promise<number> =>
    sendTracks({ url: service.url, writeKey }, [messageId]);
  /** Sends one after the other until the command has seen one: it takes a moment to start. */
  async function untilHeard(lines: () => string[]): Promise<void> {
    let sent = 0;
    await eventually(async () => {
      await send(`start-${(sent += 1)}-${performance.now()}`);
      expect(lines().length).toBeGreaterThan(0);
    });
  }

  it('writes a line for each event, as JSON where that is asked for, and goes on when the connection was lost', async () => {
    const readable = watch('--type', 'track', '--name', 'Order*', '--outcome', 'accepted');
    const nobody = watch('--user', 'nobody');
    const { lines, errors } = watch('--json');
    await untilHeard(readable.lines);
    await untilHeard(lines);
    await send('before');
    await eventually(() => expect(lines().join()).toContain('"messageId":"before"'));
    expect(errors()).toContain(`Listening to ${env.CDP_URL}`);
    await proxy.cut();
    await eventually(() => expect(errors()).toContain('trying again'));
    await send('meanwhile');
    await proxy.restore();
    await send('after');
    for (const messageId of ['before', 'meanwhile', 'after']) {
      await eventually(() =>
        expect(lines().map((line) => JSON.parse(line))).toContainEqual(
          expect.objectContaining({ outcome: 'accepted', type: 'track', messageId }),
        ),
      );
      await eventually(() =>
        expect(readable.lines().join('\n')).toMatch(
          new RegExp(`^[0-9:.]{12} +accepted +track +Order Completed +user-\\d+ +${messageId}$`, 'm'),
        ),
      );
    }
    expect(nobody.lines()).toEqual([]);
  });

  it('says what is wrong with the filter, the token and the command line', async () => {
    const filter = await runToEnd(CDP, ['tail', '--type', 'click'], { env });
    expect(filter).toMatchObject({ code: 1, output: '' });
    expect(filter.errors).toContain('400: invalid_request\n  type must be one of ');
    const stranger = await runToEnd(CDP, ['tail'], { env: { ...env, CDP_TOKEN: 'x' } });
    expect(stranger).toMatchObject({ code: 1, errors: expect.stringContaining('401') as string });
    expect(await runToEnd(CDP, ['tail', 'file'], { env })).toMatchObject({ code: 1 });
  });
});
