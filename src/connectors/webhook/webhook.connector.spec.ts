import { setTimeout as delay } from 'node:timers/promises';
import { type Behaviour, Receiver } from '../../../test/support/receiver';
import { Config } from '../../platform/config/config';
import type { Answer } from '../connector';
import type { ConnectorContext } from '../connector-context';
import { PermanentDeliveryError, RetryableDeliveryError } from '../delivery-error';
import { EgressPolicy } from '../egress/egress-policy';
import { EgressProxy } from '../egress/egress-proxy';
import { HttpClient } from '../egress/http-client';
import { WebhookConnector } from './webhook.connector';

const TIMEOUT_MS = 300;

describe('the webhook connector', () => {
  const config = Config.from({});
  const policy = new EgressPolicy(config);
  const proxy = new EgressProxy(config);
  let client: HttpClient;
  let connector: WebhookConnector;
  let receiver: Receiver;

  beforeEach(async () => {
    client = new HttpClient(policy, proxy);
    connector = new WebhookConnector(policy, client);
    receiver = await Receiver.start();
  });
  afterEach(async () => {
    await client.onModuleDestroy();
    await receiver.stop();
  });

  function send(url = `${receiver.url}/hook`): Promise<Answer> {
    // The webhook connector needs nothing else of its context.
    const context = { destinationId: 'd1', deadline: performance.now() + TIMEOUT_MS } as ConnectorContext;
    return connector.send(
      { deliveryId: 'delivery-1', eventType: 'track', body: '{}' },
      { url, secret: 's' },
      context,
    );
  }

  async function failure(behaviour: Behaviour): Promise<RetryableDeliveryError | PermanentDeliveryError> {
    receiver.behaviour = behaviour;
    return send().then(
      () => Promise.reject(new Error('It was delivered.')),
      (error: unknown) => {
        if (error instanceof RetryableDeliveryError || error instanceof PermanentDeliveryError) return error;
        throw error;
      },
    );
  }

  it.each([200, 201, 202, 204, 299])('takes %i for delivered', async (status) => {
    receiver.answer(status);
    expect(await send()).toMatchObject({ status });
  });

  it.each([
    [301, 'http_3xx'],
    [307, 'http_3xx'],
    [304, 'http_3xx'],
    [400, 'http_4xx'],
    [401, 'unauthorized'],
    [403, 'unauthorized'],
    [404, 'not_found'],
    [408, 'timeout'],
    [422, 'http_4xx'],
    [429, 'rate_limited'],
    [500, 'http_5xx'],
    [503, 'http_5xx'],
  ])('takes %i for a failure of class %s that may pass', async (status, errorClass) => {
    const error = await failure((_delivery, response) =>
      response.writeHead(status, { location: `${receiver.url}/elsewhere` }).end('why'),
    );
    expect(error).toBeInstanceOf(RetryableDeliveryError);
    expect(error).toMatchObject({ errorClass, details: { status } });
    expect(receiver.received).toHaveLength(1); // No redirect is followed.
  });

  it('passes over a few informational answers, not over endless ones', async () => {
    receiver.behaviour = (_delivery, response) => {
      response.writeEarlyHints({ link: '</a>' });
      response.end();
    };
    expect(await send()).toMatchObject({ status: 200 });
    const error = await failure((_delivery, response) => {
      for (let n = 0; n < 100; n += 1) response.writeProcessing();
    });
    expect(error).toMatchObject({ errorClass: 'invalid_response' });
  });

  it('says that the answer is not valid of a receiver that sends 100 unasked', async () => {
    const error = await failure((_delivery, response) => {
      response.writeContinue();
      response.end();
    });
    expect(error).toMatchObject({ errorClass: 'invalid_response' });
  });

  it('takes 410 for the end of the destination', async () => {
    const error = await failure((_delivery, response) => response.writeHead(410).end());
    expect(error).toBeInstanceOf(PermanentDeliveryError);
    expect(error.details).toMatchObject({ disableDestination: true });
  });

  it('reads Retry-After', async () => {
    const error = await failure((_delivery, response) =>
      response.writeHead(503, { 'retry-after': '7' }).end(),
    );
    expect(error.details).toMatchObject({ retryAfterMs: 7_000 });
  });

  it('keeps the first KB of an answer and drops the connection of an endless one', async () => {
    receiver.behaviour = (_delivery, response) => {
      response.writeHead(200);
      response.write('x'.repeat(2_000));
      const more = setInterval(() => response.write('y'.repeat(65_536)), 1);
      response.on('close', () => clearInterval(more));
    };
    const answer = await send();
    expect(answer.excerpt).toBe('x'.repeat(1_024));
  });

  it.each<[string, Behaviour]>([
    ['never answers', () => undefined],
    ['stops after the headers', (_delivery, response) => response.writeHead(200).write('a')],
    [
      'drips',
      (_delivery, response) => {
        response.writeHead(200);
        const drip = setInterval(() => response.write('.'), 20);
        response.on('close', () => clearInterval(drip));
      },
    ],
  ])('gives a receiver that %s no longer than the deadline', async (_what, behaviour) => {
    expect(await failure(behaviour)).toMatchObject({ errorClass: 'timeout' });
  });

  it('says as little of a closed port as of a silent one', async () => {
    const closed = receiver.url;
    await receiver.stop();
    await expect(send(closed)).rejects.toMatchObject({ errorClass: 'connect_failed' });
    receiver = await Receiver.start();
  });

  it('tries once more when a kept connection was closed just then', async () => {
    await send();
    await delay(1); // The connection is free again a moment after the answer.
    receiver.behaviour = (_delivery, response) => {
      receiver.behaviour = (_again, answer) => answer.end();
      response.socket?.destroy();
    };
    expect(await send()).toMatchObject({ status: 200 });
    expect(receiver.ids()).toEqual(['delivery-1']);
  });

  it('fails when a fresh connection is closed without an answer', async () => {
    const error = await failure((_delivery, response) => response.socket?.destroy());
    expect(error).toMatchObject({ errorClass: 'connection_closed' });
  });

  it('fails on what is no HTTP', async () => {
    const error = await failure((_delivery, response) => response.socket?.end('SSH-2.0-OpenSSH_9.2\r\n'));
    expect(error).toMatchObject({ errorClass: 'invalid_response' });
  });

  it('measures a new connection and the first byte, and nothing of a connection that was kept', async () => {
    const { latency } = await send();
    expect(latency).toMatchObject({ connectMs: expect.any(Number), firstByteMs: expect.any(Number) });
    expect(latency?.tlsMs).toBeUndefined();
    await delay(1);
    const again = await send();
    expect(again.latency?.connectMs).toBeUndefined();
    expect(again.latency?.firstByteMs).toEqual(expect.any(Number));
  });

  it('does not send to an address that is not allowed', async () => {
    await expect(send('http://169.254.169.254/latest/meta-data')).rejects.toMatchObject({
      errorClass: 'address_not_allowed',
    });
  });
});
