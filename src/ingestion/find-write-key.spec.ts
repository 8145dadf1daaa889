import { basicUser, bodyWriteKey } from './find-write-key';

const basic = (pair: string): string => `Basic ${Buffer.from(pair).toString('base64')}`;

describe('basicUser', () => {
  it.each([
    [basic('key:'), 'key'],
    [basic('key:secret:more'), 'key'],
    [basic('key'), 'key'],
    [basic('key:').replace('Basic', 'basic'), 'key'],
    [basic(':'), undefined],
    ['Bearer abc', undefined],
    ['Basic', undefined],
    ['Basic ???', undefined],
    [undefined, undefined],
  ])('finds in %s the user %s', (authorization, user) => {
    expect(basicUser({ authorization })).toBe(user);
  });
});

describe('bodyWriteKey', () => {
  it.each([
    [{ writeKey: 'key' }, 'key'],
    [{ writeKey: '' }, undefined],
    [{ writeKey: 5 }, undefined],
    [[], undefined],
    [null, undefined],
    ['writeKey', undefined],
  ])('finds in %j the key %s', (body, key) => {
    expect(bodyWriteKey(body)).toBe(key);
  });
});
