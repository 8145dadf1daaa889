import * as fc from 'fast-check';
import type { JsonValue } from '../../events/customer-event';
import { cleanJson, needsCleaning } from './clean-json';

describe('cleanJson', () => {
  it('leaves JSON alone that PostgreSQL can store', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), (value) => {
        const json = value as JsonValue;
        if (needsCleaning(JSON.stringify(json))) return;
        expect(cleanJson(json)).toEqual(json);
      }),
    );
  });

  it('leaves nothing that PostgreSQL cannot store, whatever it gets', () => {
    const text = fc.string({
      unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
    });
    fc.assert(
      fc.property(fc.dictionary(fc.oneof(text, fc.constant('__proto__')), text), (object) => {
        const clean = JSON.stringify(cleanJson(object));
        expect(needsCleaning(clean)).toBe(false);
      }),
    );
  });
});

describe('needsCleaning', () => {
  it.each([
    '"a\\u0000"',
    '"\\uD800"',
    '"\\udfff"',
    '{"__proto__":1}',
    '{"\\u005f_proto__":1}',
    '{"_\\u005Fproto__":1}',
    '{"__\\u0070roto__":1}',
    '{"__p\\u0072o\\u0074o__":1}',
    '{"__prot\\u006F__":1}',
  ])('suspects %s', (text) => {
    expect(needsCleaning(text)).toBe(true);
  });

  it.each(['"plain"', '"\\u00e9"', '{"proto":"\\u20ac"}'])('trusts %s', (text) => {
    expect(needsCleaning(text)).toBe(false);
  });
});
