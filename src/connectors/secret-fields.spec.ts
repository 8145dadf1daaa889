import * as fc from 'fast-check';
import type { JsonObject } from '../events/customer-event';
import {
  keepSecrets,
  maskSecrets,
  mergeSecrets,
  replaceSecrets,
  secretsIn,
  splitConfig,
} from './secret-fields';

const FIELDS = ['secret', 'headers.*', 'auth.password', 'auth.token'];
const LONG = 'a-value-of-some-length-';

describe('secrets of a config', () => {
  const config = {
    url: 'https://a.test',
    secret: `${LONG}0000`,
    headers: { 'X-One': `${LONG}1111`, 'X.Two': 'short' },
    auth: { type: 'basic', username: 'ada', password: `${LONG}3333` },
  };
  const { settings, secrets } = splitConfig(config, FIELDS);

  it('are taken out, and put back in', () => {
    expect(settings).toEqual({
      url: 'https://a.test',
      headers: {},
      auth: { type: 'basic', username: 'ada' },
    });
    expect(secrets).toEqual({
      secret: config.secret,
      headers: config.headers,
      auth: { password: config.auth.password },
    });
    expect(mergeSecrets(settings, secrets)).toEqual(config);
  });

  it('are the same after the way there and back, whatever a config is', () => {
    const name = fc.constantFrom(
      'secret',
      'headers',
      'auth',
      'password',
      'token',
      'other',
      '__proto__',
      'a.b',
    );
    const { value: json } = fc.letrec<{ value: JsonObject[string]; object: JsonObject }>((tie) => ({
      value: fc.oneof({ maxDepth: 4 }, fc.string(), fc.constant(null), tie('object')),
      object: fc.dictionary(name, tie('value'), { maxKeys: 5 }),
    }));
    fc.assert(
      fc.property(fc.dictionary(name, json), (any) => {
        const given = JSON.parse(JSON.stringify(any)) as JsonObject;
        const apart = splitConfig(given, FIELDS);
        expect(secretsIn(apart.settings, FIELDS)).toEqual([]);
        expect(mergeSecrets(apart.settings, apart.secrets)).toEqual(given);
      }),
    );
  });

  it('cost as much as there are of them, before a connector says how many are too many', () => {
    const ofHeaders = (value: string): JsonObject => ({
      headers: Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`X-${n}`, value])),
    });
    const many = ofHeaders('secret');
    expect(replaceSecrets(many, FIELDS, () => 'other')).toEqual(ofHeaders('other'));
    expect(splitConfig(many, FIELDS)).toEqual({ settings: { headers: {} }, secrets: many });
    expect(keepSecrets(maskSecrets(many, FIELDS), many, FIELDS).config).toEqual(many);
  });

  it('are shown by their last characters, or not at all', () => {
    expect(maskSecrets(secrets, FIELDS)).toEqual({
      secret: '****0000',
      headers: { 'X-One': '****1111', 'X.Two': '****' },
      auth: { password: '****3333' },
    });
    expect(maskSecrets({ key: { id: 'an-id-of-some-length' } }, ['key'])).toEqual({ key: '****' });
  });

  it('are hidden while nobody says which they are', () => {
    expect(maskSecrets(secrets, [])).toEqual({ secret: '****0000', headers: '****', auth: '****' });
  });

  describe('of a new config', () => {
    const kept = (given: JsonObject): JsonObject => keepSecrets(given, config, FIELDS).config;

    it.each<[string, JsonObject, JsonObject]>([
      ['left out', {}, { secret: config.secret }],
      ['the mask', { secret: '****0000' }, { secret: config.secret }],
      ['another', { secret: 'new' }, { secret: 'new' }],
      ['the mask of another', { secret: '****9999' }, { secret: '****9999' }],
      ['null', { secret: null }, {}],
    ])('a fixed one that is %s', (_, given, expected) => expect(kept(given)).toEqual(expected));

    it.each<[string, JsonObject, JsonObject]>([
      ['left out', { 'X.Two': 'new' }, { 'X.Two': 'new' }],
      ['the mask', { 'X-One': '****1111', 'X.Two': '****' }, config.headers],
      ['the mask of another', { 'X-One': '****9999' }, { 'X-One': '****9999' }],
      ['null', { 'X-One': null }, { 'X-One': null }],
      [
        'new, beside a header called type',
        { 'X-One': '****1111', type: 'new' },
        { 'X-One': `${LONG}1111`, type: 'new' },
      ],
    ])('a member that is %s', (_, headers, expected) =>
      expect(kept({ headers })).toEqual({ headers: expected, secret: config.secret }),
    );

    it.each<[string, JsonObject, JsonObject]>([
      [
        'of the same type',
        { type: 'basic', username: 'bob' },
        { type: 'basic', username: 'bob', password: config.auth.password },
      ],
      ['of the same type, as null', { type: 'basic', password: null }, { type: 'basic' }],
      ['of another type', { type: 'bearer' }, { type: 'bearer' }],
      [
        'of another type, with the mask',
        { type: 'bearer', password: '****3333' },
        { type: 'bearer', password: '****3333' },
      ],
    ])('one in an object %s', (_, auth, expected) =>
      expect(kept({ auth })).toEqual({ auth: expected, secret: config.secret }),
    );

    it('one in an object without a type stays as its mask, and is gone when it is left out', () => {
      const old = { tls: { cert: 'a', key: `${LONG}4444` } };
      const keptOf = (tls: JsonObject): JsonObject => keepSecrets({ tls }, old, ['tls.key']).config;
      expect(keptOf({ cert: 'b', key: '****4444' })).toEqual({ tls: { cert: 'b', key: old.tls.key } });
      expect(keptOf({ ca: 'c' })).toEqual({ tls: { ca: 'c' } });
    });

    it('tells which were kept', () => {
      const given = { headers: { 'X-One': '****1111' }, auth: { type: 'basic' }, secret: 'new' };
      expect(keepSecrets(given, config, FIELDS).kept.map(({ path }) => path)).toEqual([
        ['headers', 'X-One'],
        ['auth', 'password'],
      ]);
    });
  });
});
