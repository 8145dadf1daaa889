import { InvalidJsonError } from '../ingestion-problems';
import { parseSentJson } from './parse-request';

describe('what SDKs send for JSON', () => {
  it.each([
    ['{"a":NaN}', { a: Infinity }],
    ['{"a": [NaN, Infinity ,-Infinity]}', { a: [Infinity, Infinity, -Infinity] }],
    ['{"NaN":"NaN, Infinity","b\\"":NaN}', { NaN: 'NaN, Infinity', 'b"': Infinity }],
    ['{"a":"\\\\","b":NaN}', { a: '\\', b: Infinity }],
  ])('reads %s, as numbers that no double can be', (text, value) => {
    expect(parseSentJson(text).value).toEqual(value);
  });

  it.each(['{NaN:1}', '{"a":NaNa}', '{"a":xInfinity}', '{"a":"NaN}', '{"a":"NaN\\', '{"a":nan}', '[NaN'])(
    'refuses %s',
    (text) => {
      expect(() => parseSentJson(text)).toThrow(InvalidJsonError);
    },
  );

  it('takes time in proportion to the text', () => {
    for (const text of ['"\\"'.repeat(300_000), `"${'\\"'.repeat(300_000)}`, 'NaN'.repeat(300_000)]) {
      // Of the processor: others may have it meanwhile. In proportion to the square it would be many times that.
      const startedAt = process.cpuUsage();
      expect(() => parseSentJson(`[NaN,${text}`)).toThrow(InvalidJsonError);
      expect(process.cpuUsage(startedAt).user / 1000).toBeLessThan(1000);
    }
  });
});
