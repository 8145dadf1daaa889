import { createHash, createHmac } from 'node:crypto';
import { assert, constantFrom, dictionary, jsonValue, property } from 'fast-check';
import { compileMapping } from './compile-mapping';
import type { Mapping } from './mapping';
import { parseMapping } from './parse-mapping';

const EVENT = {
  type: 'identify',
  userId: 'u1',
  traits: { email: ' Ann@Example.com ', age: 41, phone: null, 'a.b': 1, plan: { name: 'pro' } },
  context: { ip: '10.0.0.1', locale: 'de' },
  items: [{ sku: 'a', email: 'x' }, { sku: 'b' }, 'loose'],
};
const KEY = 'a-key-for-tests';
const hmac = (text: string): string => createHmac('sha256', KEY).update(text).digest('hex');

function map(mapping: Mapping): Record<string, unknown> {
  expect(parseMapping(mapping)).toEqual({ ok: true, mapping });
  return JSON.parse(compileMapping(mapping)(JSON.stringify(EVENT), EVENT.type)) as Record<string, unknown>;
}

describe('a mapping', () => {
  it('keeps only what is picked, also inside arrays', () => {
    expect(map({ pick: ['type', 'traits.plan', 'traits.plan.name', 'items.sku', 'not.there'] })).toEqual({
      type: 'identify',
      traits: { plan: { name: 'pro' } },
      items: [{ sku: 'a' }, { sku: 'b' }],
    });
  });

  it('drops members, also inside arrays', () => {
    const mapped = map({ drop: ['context.ip', 'items.email', 'not.there', 'traits.a\\.b'] });
    expect(mapped).toMatchObject({ context: { locale: 'de' }, items: [{ sku: 'a' }, { sku: 'b' }, 'loose'] });
    expect(mapped.traits).not.toHaveProperty(['a.b']);
  });

  it('hashes what is there and leaves what is not', () => {
    const mapped = map({
      hashKey: KEY,
      hash: [
        { path: 'traits.email', method: 'sha256', normalize: true },
        { path: 'traits.age' },
        { path: 'traits.phone' },
        { path: 'traits.missing' },
        { path: 'items.email' },
      ],
    });
    expect(mapped.traits).toEqual({
      ...EVENT.traits,
      email: createHash('sha256').update('ann@example.com').digest('hex'),
      age: hmac('41'),
    });
    expect(mapped.items).toEqual([{ sku: 'a', email: hmac('x') }, { sku: 'b' }, 'loose']);
  });

  it('only hashes in what says that a person was deleted', () => {
    const notice = { type: 'delete', userId: 'u1', messageId: 'm', timestamp: '2026-01-01T00:00:00Z' };
    const mapping: Mapping = {
      hashKey: KEY,
      pick: ['userId'],
      drop: ['messageId'],
      hash: [{ path: 'userId' }],
      rename: [{ from: 'type', to: 'kind' }],
      constant: [{ path: 'properties.currency', value: 'EUR' }],
    };
    const mapped: unknown = JSON.parse(compileMapping(mapping)(JSON.stringify(notice), 'delete'));
    expect(mapped).toEqual({ ...notice, userId: hmac('u1') });
  });

  it('does all to an event that a transformation calls a deletion', () => {
    const event = { type: 'delete', userId: 'u1', userIds: ['u1'], traits: { email: 'ann@example.com' } };
    const mapping: Mapping = { drop: ['traits'], rename: [{ from: 'type', to: 'kind' }] };
    const mapped: unknown = JSON.parse(compileMapping(mapping)(JSON.stringify(event), 'identify'));
    expect(mapped).toEqual({ kind: 'delete', userId: 'u1', userIds: ['u1'] });
  });

  it.each<[string, Mapping, object]>([
    ['nothing', { rename: [{ from: 'userIds', to: 'x' }] }, { userIds: ['u1', 'u2'], anonymousIds: ['a'] }],
    [
      'a hash',
      { hashKey: KEY, hash: [{ path: 'userId' }] },
      { userIds: [hmac('u1'), hmac('u2')], anonymousIds: ['a'] },
    ],
    ['a drop', { drop: ['anonymousId'] }, { userIds: ['u1', 'u2'] }],
    ['a pick', { pick: ['type', 'userId'] }, { userIds: ['u1', 'u2'] }],
  ])('does to the lists of ids in a deletion what it does to the id: %s', (_name, mapping, expected) => {
    const notice = { type: 'delete', userId: 'u1', userIds: ['u1', 'u2'], anonymousIds: ['a'] };
    const mapped = JSON.parse(compileMapping(mapping)(JSON.stringify(notice), 'delete')) as Record<
      string,
      unknown
    >;
    const { type: _type, userId: _userId, ...lists } = mapped;
    expect(lists).toEqual(expected);
  });

  it('renames and sets constants, making objects on the way', () => {
    const mapped = map({
      rename: [
        { from: 'traits.email', to: 'contact.email' },
        { from: 'not.there', to: 'gone' },
      ],
      constant: [
        { path: 'source', value: { name: 'cdp' } },
        { path: 'type', value: 'lead' },
      ],
    });
    expect(mapped).toMatchObject({
      type: 'lead',
      source: { name: 'cdp' },
      contact: { email: EVENT.traits.email },
    });
    expect(mapped).not.toHaveProperty('gone');
    expect(mapped.traits).not.toHaveProperty('email');
  });

  it.each<[Mapping, object, object]>([
    [{ rename: [{ from: 'a', to: 'a.b' }] }, { a: 1 }, { a: { b: 1 } }],
    [{ rename: [{ from: 'a.b', to: 'a' }] }, { a: { b: 1 } }, { a: 1 }],
    [{ rename: [{ from: 'constructor', to: 'toString.x' }] }, { a: 1 }, { a: 1 }],
    [
      { constant: [{ path: 'constructor.prototype.x', value: 1 }] },
      {},
      { constructor: { prototype: { x: 1 } } },
    ],
    [{ constant: [{ path: 'a.b', value: 1 }] }, { a: [1, 2] }, { a: { b: 1 } }],
    [
      { drop: ['a'], rename: [{ from: 'a', to: 'b' }], constant: [{ path: 'a', value: 1 }] },
      { a: 2 },
      { a: 1 },
    ],
    [{ pick: ['a'], drop: ['a.b'] }, { a: { b: 1, c: 2 }, d: 3 }, { a: { c: 2 } }],
    [{ pick: ['constructor'] }, { a: 1 }, {}],
    [{ drop: ['a.toString', 'length'] }, { a: [{ b: 1 }] }, { a: [{ b: 1 }] }],
  ])('%j makes of %j: %j', (mapping, event, expected) => {
    const mapped = compileMapping(mapping)(JSON.stringify(event), 'track');
    expect(JSON.parse(mapped)).toEqual(expected);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  it('keeps a member that is called like the prototype, and harms nobody with it', () => {
    const mapped = compileMapping({ pick: ['a'] })(
      '{"a": {"__proto__": {"x": 1}}, "__proto__": {"y": 1}}',
      'track',
    );
    expect(mapped).toBe('{"a":{"__proto__":{"x":1}}}');
  });

  it('gives the same bytes for the same event', () => {
    const mapEvent = compileMapping({
      hashKey: KEY,
      drop: ['a'],
      hash: [{ path: 'b' }],
      rename: [{ from: 'c', to: 'd.e' }],
      constant: [{ path: 'f', value: 1 }],
    });
    assert(
      property(dictionary(constantFrom('a', 'b', 'c', 'd', 'f', '__proto__'), jsonValue()), (event) => {
        const body = JSON.stringify(event);
        expect(mapEvent(body, 'track')).toBe(mapEvent(body, 'track'));
      }),
    );
  });

  it.each([
    [[], 'mapping'],
    [{ pick: [] }, 'mapping.pick'],
    [{ pik: ['a'] }, 'mapping.pik'],
    [{ drop: ['a', 'b..c'] }, 'mapping.drop[1]'],
    [{ drop: ['__proto__.polluted'] }, 'mapping.drop[0]'],
    [{ hash: ['traits.email'] }, 'mapping.hash[0]'],
    [{ hash: [{ path: 'a', method: 'md5' }] }, 'mapping.hash[0].method'],
    [{ hash: [{ path: 'a', normalize: 'yes' }] }, 'mapping.hash[0].normalize'],
    [{ hashKey: 'short' }, 'mapping.hashKey'],
    [{ rename: [{ from: 'a' }] }, 'mapping.rename[0].to'],
    [{ rename: [{ from: 'a', to: 'b', too: 1 }] }, 'mapping.rename[0].too'],
    [{ constant: [{ path: 'a' }] }, 'mapping.constant[0].value'],
    [{ constant: [{ path: 'a', value: ['b\0'] }] }, 'mapping.constant[0].value[0]'],
    [{ constant: [{ path: 'a', value: '\ud800' }] }, 'mapping.constant[0].value'],
    [{ constant: [{ path: 'a', value: Infinity }] }, 'mapping.constant[0].value'],
    [{ constant: [{ path: 'a', value: { b: [1, NaN] } }] }, 'mapping.constant[0].value.b[1]'],
    [{ constant: 'a' }, 'mapping.constant'],
  ])('is refused as %j because of %s', (mapping, path) => {
    expect(parseMapping(mapping)).toMatchObject({ ok: false, errors: [{ path }] });
  });
});
