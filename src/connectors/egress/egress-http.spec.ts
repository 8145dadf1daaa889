import { setTimeout as delay } from 'node:timers/promises';
import { Receiver } from '../../../test/support/receiver';
import { Config } from '../../platform/config/config';
import type { OutboundRequest, OutboundResponse } from '../connector-context';
import { EgressHttp } from './egress-http';
import { EgressPolicy } from './egress-policy';
import { EgressProxy } from './egress-proxy';
import { HttpClient } from './http-client';

const TIMEOUT_MS = 10_000;

describe('the HTTP of connectors', () => {
  const config = Config.from({});
  const policy = new EgressPolicy(config);
  const proxy = new EgressProxy(config);
  let client: HttpClient;
  let receiver: Receiver;

  beforeEach(async () => {
    client = new HttpClient(policy, proxy);
    receiver = await Receiver.start();
  });
  afterEach(async () => {
    await client.onModuleDestroy();
    await receiver.stop();
  });

  function post(
    cancel?: AbortSignal,
    timeoutMs = TIMEOUT_MS,
    own: Pick<OutboundRequest, 'timeoutMs'> = {},
  ): Promise<OutboundResponse> {
    const request = { method: 'POST', url: `${receiver.url}/hook`, body: '{}', ...own } as const;
    const attempt = { destinationId: 'd1', deadline: performance.now() + timeoutMs, cancel };
    return new EgressHttp(policy, client, proxy).request(request, attempt);
  }

  it('keeps the first 256 KiB of an answer', async () => {
    receiver.behaviour = (_delivery, response) => response.end('x'.repeat(300 * 1024));
    expect((await post()).body).toEqual(Buffer.alloc(256 * 1024, 'x'));
  });

  it('sends once more when a kept connection was closed just then', async () => {
    await post();
    await delay(1); // The connection is free again a moment after the answer.
    receiver.behaviour = (_delivery, response) => {
      receiver.behaviour = (_again, answer) => answer.end();
      response.socket?.destroy();
    };
    expect(await post()).toMatchObject({ status: 200 });
  });

  it('tells nothing of an answer that did not end in time', async () => {
    receiver.behaviour = (_delivery, response) => response.writeHead(200).write('a token');
    await expect(post(undefined, 300)).rejects.toMatchObject({ errorClass: 'timeout', details: {} });
  });

  it('ends before the try where the request has a time of its own', async () => {
    receiver.behaviour = () => undefined;
    await expect(post(undefined, 60_000, { timeoutMs: 300 })).rejects.toMatchObject({
      errorClass: 'timeout',
    });
    await expect(post(undefined, 300, { timeoutMs: 60_000 })).rejects.toMatchObject({
      errorClass: 'timeout',
    });
  });

  it('ends when the try is cancelled', async () => {
    const cancel = new AbortController();
    receiver.behaviour = () => cancel.abort();
    await expect(post(cancel.signal)).rejects.toMatchObject({ errorClass: 'timeout' });
    await expect(post(cancel.signal)).rejects.toMatchObject({ errorClass: 'timeout' });
    expect(receiver.received).toHaveLength(1);
  });
});
