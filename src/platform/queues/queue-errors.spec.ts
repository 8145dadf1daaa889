import { DatabaseError } from 'pg';
import { QueueErrors } from './queue-errors';
import { RedisOutage } from './redis-outage';

const aLog = () => {
  const lines: string[] = [];
  const logger = {
    debug: (line: string) => void lines.push(`debug ${line}`),
    warn: (line: string) => void lines.push(`warn ${line}`),
    log: (line: string) => void lines.push(`log ${line}`),
  };
  return { lines, logger };
};

it('warns of errors, but not of workers that were in the way of each other: those ask again', () => {
  const { lines, logger } = aLog();
  const errors = new QueueErrors(logger);
  errors.log(Object.assign(new DatabaseError('deadlock detected', 0, 'error'), { code: '40P01' }));
  errors.log(new Error('getaddrinfo ENOTFOUND'));
  expect(lines).toEqual([
    expect.stringMatching(/^debug Workers were .* asks again: error: deadlock detected$/),
    'warn Error: getaddrinfo ENOTFOUND',
  ]);
});

describe('an outage of Redis', () => {
  it('is said once for all queues and workers, with what to do', () => {
    const { lines, logger } = aLog();
    const outage = new RedisOutage(logger);
    const away = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:6999'), { code: 'ECONNREFUSED' });
    for (let one = 0; one < 10; one += 1) new QueueErrors(logger, outage).log(away);
    expect(lines).toEqual([
      'warn Redis cannot be used (connect ECONNREFUSED 127.0.0.1:6999): the service goes on without it, ' +
        'some seconds late. Check that it runs, and CDP_REDIS_URL.',
    ]);
  });

  it.each([
    'Connection is closed.',
    "Stream isn't writeable and enableOfflineQueue options is false",
    'Socket timeout. Expecting data, but did not receive any in 15000ms.',
    'All sentinels are unreachable. Retrying from scratch after 100ms.',
    'Failed to refresh slots cache.',
    'WRONGPASS invalid username-password pair or user is disabled.',
  ])('is what is meant by: %s', (message) => {
    const { logger } = aLog();
    expect(new RedisOutage(logger).tell(new Error(message))).toBe(true);
  });

  it('is not what else a worker reports', () => {
    const { lines, logger } = aLog();
    new QueueErrors(logger, new RedisOutage(logger)).log(new Error('could not renew lock for job job-1'));
    expect(lines).toEqual(['warn Error: could not renew lock for job job-1']);
  });
});
