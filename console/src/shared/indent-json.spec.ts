import * as fc from 'fast-check';
import { indentJson } from './indent-json';

describe('indentJson', () => {
  it('writes any JSON as JSON.stringify does', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const value: unknown = JSON.parse(text);
        expect(indentJson(JSON.stringify(value))).toBe(JSON.stringify(value, undefined, 2));
        expect(indentJson(JSON.stringify(value, undefined, 4))).toBe(JSON.stringify(value, undefined, 2));
      }),
    );
  });

  it('keeps the digits', () => {
    expect(indentJson('{"a":[1.0,9007199254740993,1E+2]}')).toBe(
      '{\n  "a": [\n    1.0,\n    9007199254740993,\n    1E+2\n  ]\n}',
    );
  });

  it('leaves what was cut alone', () => {
    expect(indentJson('{"a": [1, 2')).toBeUndefined();
  });
});
