import { randomUUID } from 'node:crypto';
import {
  addressCaller,
  credentialCaller,
  RequestLimits,
  TooManyRequestsError,
} from '../../src/platform/auth/request-limits';
import { openRedisClient, type RedisClient } from '../../src/platform/queues/redis-clients';
import { eventually } from '../support/eventually';
import { freePort } from '../support/free-port';
import { testRedisUrl } from '../support/test-redis';
import { queueKinds } from '../support/test-service';

/** How many of ten requests at once are let through. */
async function allowed(limits: readonly RequestLimits[], caller: string): Promise<number> {
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10 }, async (_, index) => limits[index % limits.length]?.demand(caller)),
  );
  const refusals = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason as Error] : [],
  );
  expect(refusals.filter((refusal) => !(refusal instanceof TooManyRequestsError))).toEqual([]);
  return outcomes.length - refusals.length;
}

describe('limits of requests', () => {
  it('count credentials apart from each other and from addresses', async () => {
    const limits = new RequestLimits(3, undefined);
    expect(await allowed([limits], credentialCaller('Bearer a'))).toBe(3);
    expect(await allowed([limits], credentialCaller('Bearer b'))).toBe(3);
    expect(await allowed([limits], addressCaller('192.0.2.1'))).toBe(3);
    expect(await allowed([limits], addressCaller('192.0.2.2'))).toBe(3);
  });

  it.each([
    ['192.0.2.1', '::ffff:192.0.2.1', true],
    ['192.0.2.1', '192.0.2.2', false],
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff::2', true],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['not an address', 'nor this', false],
  ])('take %s and %s for one caller: %s', (one, other, same) => {
    expect(addressCaller(one) === addressCaller(other)).toBe(same);
  });

  const withRedis = queueKinds().includes('redis') ? describe : describe.skip;
  withRedis('with Redis', () => {
    const clients: RedisClient[] = [];
    const open = async (): Promise<RedisClient> => {
      const client = openRedisClient(testRedisUrl() ?? '', 'at-once');
      clients.push(client);
      await eventually(() => expect(client.status).toBe('ready'));
      return client;
    };
    afterAll(() => clients.forEach((client) => client.disconnect()));

    it('count for all processes together', async () => {
      const limits = [new RequestLimits(4, await open()), new RequestLimits(4, await open())];
      expect(await allowed(limits, credentialCaller(randomUUID()))).toBe(4);
    });

    it('count in the process while Redis is away', async () => {
      const client = openRedisClient(`redis://127.0.0.1:${await freePort()}`, 'at-once');
      client.on('error', () => undefined);
      clients.push(client);
      expect(await allowed([new RequestLimits(4, client)], credentialCaller('Bearer x'))).toBe(4);
    });
  });
});
