import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { RequestLimits, TooManyRequestsError } from '../../src/platform/http/request-limits';
import { openRedisClient, type RedisClient } from '../../src/platform/queues/redis-clients';
import { eventually } from '../support/eventually';
import { freePort } from '../support/free-port';
import { testRedisUrl } from '../support/test-redis';
import { queueKinds } from '../support/test-service';

const aRequest = (ip: string, authorization?: string): FastifyRequest =>
  ({ ip, headers: { authorization } }) as unknown as FastifyRequest;

/** How many of ten requests at once are let through. */
async function allowed(limits: readonly RequestLimits[], request: FastifyRequest): Promise<number> {
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10 }, async (_, index) => limits[index % limits.length]?.demand(request)),
  );
  const refusals = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason as Error] : [],
  );
  expect(refusals.filter((refusal) => !(refusal instanceof TooManyRequestsError))).toEqual([]);
  return outcomes.length - refusals.length;
}

describe('limits of requests', () => {
  it('count tokens apart from each other and from addresses', async () => {
    const limits = new RequestLimits(3, undefined);
    expect(await allowed([limits], aRequest('192.0.2.1', 'Bearer a'))).toBe(3);
    expect(await allowed([limits], aRequest('192.0.2.1', 'Bearer b'))).toBe(3);
    expect(await allowed([limits], aRequest('192.0.2.1'))).toBe(3);
    expect(await allowed([limits], aRequest('192.0.2.2'))).toBe(3);
  });

  it('stop an address that tries out tokens, and let go on who had a good one', async () => {
    const limits = new RequestLimits(3, undefined);
    const good = aRequest('192.0.2.1', 'Bearer good');
    await limits.demand(good);
    await limits.note(good, 200);
    for (let guess = 0; guess < 3; guess += 1) {
      const request = aRequest('192.0.2.1', `Bearer ${guess}`);
      await limits.demand(request);
      await limits.note(request, 401);
    }
    await expect(limits.demand(aRequest('192.0.2.1', 'Bearer 4'))).rejects.toBeInstanceOf(
      TooManyRequestsError,
    );
    await limits.demand(good);
    await limits.demand(aRequest('192.0.2.2', 'Bearer 5'));
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
      expect(await allowed(limits, aRequest('192.0.2.1', `Bearer ${randomUUID()}`))).toBe(4);
    });

    it('count in the process while Redis is away', async () => {
      const client = openRedisClient(`redis://127.0.0.1:${await freePort()}`, 'at-once');
      client.on('error', () => undefined);
      clients.push(client);
      expect(await allowed([new RequestLimits(4, client)], aRequest('192.0.2.1', 'Bearer x'))).toBe(4);
    });
  });
});
