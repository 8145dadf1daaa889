import { basicUser, bodyWriteKey, headerWriteKey, writeKeysIn } from './find-write-key';

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

describe('headerWriteKey', () => {
  it.each([
    [{ 'x-write-key': 'key' }, 'key'],
    [{ 'x-write-key': 'shop:key' }, 'key'],
    [{ 'x-write-key': 'shop: key ' }, 'key'],
    [{ 'x-write-key': 'shop:' }, undefined],
    [{ 'x-write-key': '' }, undefined],
    [{ 'x-write-key': 'other', authorization: basic('key:') }, 'key'],
    [{ 'x-write-key': 'key', authorization: 'Bearer token' }, 'key'],
    [{}, undefined],
  ])('finds in %j the key %s', (headers, key) => {
    expect(headerWriteKey(headers)).toBe(key);
  });
});

describe('writeKeysIn', () => {
  it.each([
    ['{"batch":[],"writeKey":"key"}', ['key']],
    ['{"writeKey" :\n "key","batch":[{"writeKey":"key"}]}', ['key']],
    ['{"batch":[{"writeKey":"a"},{"writeKey":"b"}],"writeKey":"c"}', ['a', 'b', 'c']],
    ['{"writeKey":5,"batch":"writeKey"}', []],
    [Array.from({ length: 9 }, (_, index) => `"writeKey":"${index}"`).join(), ['0', '1', '2', '3']],
    ['', []],
  ])('finds in %s %j', (text, keys) => {
    expect([...writeKeysIn(Buffer.from(text))]).toEqual(keys);
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
