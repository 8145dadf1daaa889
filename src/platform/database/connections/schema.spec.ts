import { assert, pre, property, stringMatching } from 'fast-check';
import { inSchema, problemOfSchema, queueSchemaOf, schemaOf, withSetting } from './schema';

const URL = 'postgres://cdp:p%40ss@db:5432/cdp';

describe('the address of a schema', () => {
  it('is that of the database for the default', () => {
    expect(inSchema(URL, 'public')).toBe(URL);
    expect(schemaOf(URL)).toBe('public');
    expect(queueSchemaOf('public')).toBe('bullmq');
  });

  it('says its schema, however often it is asked for, beside what else it says', () => {
    const once = inSchema(`${URL}?sslmode=require&options=-c%20jit%3Doff`, 'shop_eu');
    expect(schemaOf(once)).toBe('shop_eu');
    expect(inSchema(once, 'shop_eu')).toBe(once);
    const { searchParams } = new globalThis.URL(once);
    expect(searchParams.get('options')).toBe('-c jit=off -c search_path=shop_eu');
    expect(searchParams.get('sslmode')).toBe('require');
  });

  it('is in the schema that was named last, as for PostgreSQL', () => {
    expect(schemaOf(withSetting(inSchema(URL, 'shop_eu'), 'search_path', 'bullmq_shop_eu'))).toBe(
      'bullmq_shop_eu',
    );
  });
});

describe('the name of a schema', () => {
  it.each(['a', 'shop_eu', 'select', 'public', `a${'b'.repeat(39)}`])('may be %s', (name) => {
    expect(problemOfSchema(name)).toBeUndefined();
  });

  it.each([
    '',
    'Shop',
    '1shop',
    'shop-eu',
    'shop"',
    'shop eu',
    'a, public',
    `a${'b'.repeat(40)}`,
    'pg_temp',
    'information_schema',
    'bullmq',
    'bullmq_shop',
  ])('may not be %s', (name) => {
    expect(problemOfSchema(name)).toEqual(expect.any(String));
  });

  it('never needs quotes, nor does that of its queue', () => {
    assert(
      property(stringMatching(/^[A-Za-z0-9_"]{0,50}$/), (name) => {
        pre(problemOfSchema(name) === undefined);
        expect(queueSchemaOf(name)).toMatch(/^[a-z][a-z0-9_]{0,62}$/);
      }),
    );
  });
});
