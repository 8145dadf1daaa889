import { parseRedisAddress } from './redis-address';

describe('parseRedisAddress', () => {
  it.each(['redis://localhost:6379', 'rediss://user:p%40ss@redis.example:6380/2'])(
    'keeps %s as it is',
    (url) => {
      expect(parseRedisAddress(url)).toEqual({ kind: 'standalone', url });
    },
  );

  it('reads sentinels, their master and both passwords', () => {
    expect(
      parseRedisAddress('redis+sentinel://app:p%40ss@s1,s2:26380,[::1]:26381/main/3?sentinelPassword=x%26y'),
    ).toEqual({
      kind: 'sentinel',
      nodes: [
        { host: 's1', port: 26379 },
        { host: 's2', port: 26380 },
        { host: '::1', port: 26381 },
      ],
      master: 'main',
      db: 3,
      username: 'app',
      password: 'p@ss',
      sentinelUsername: undefined,
      sentinelPassword: 'x&y',
      tls: false,
    });
  });

  it('reads the nodes of a cluster', () => {
    expect(parseRedisAddress('rediss+cluster://:secret@n1:7000,n2')).toEqual({
      kind: 'cluster',
      nodes: [
        { host: 'n1', port: 7000 },
        { host: 'n2', port: 6379 },
      ],
      username: undefined,
      password: 'secret',
      tls: true,
    });
  });

  it.each([
    ['http://localhost', /must begin with redis/],
    ['redis+sentinel://s1:26379', /name of the master/],
    ['redis+sentinel://s1/main/x', /name of the master/],
    ['redis+cluster://n1/2', /no numbered databases/],
    ['redis+cluster://n1:port', /host or host:port/],
    ['redis://:secret@:x:y', /not a valid URL/],
  ])('refuses %s without repeating it', (text, message) => {
    expect(() => parseRedisAddress(text)).toThrow(message);
    expect(() => parseRedisAddress(text)).not.toThrow(/secret/);
  });
});
