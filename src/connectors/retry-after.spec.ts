import { parseRetryAfter } from './retry-after';

const NOW = Date.parse('2026-11-20T12:00:00Z');

it.each([
  [undefined, undefined],
  ['120', 120_000],
  ['0', 0],
  ['Fri, 20 Nov 2026 12:01:00 GMT', 60_000],
  ['Fri, 20 Nov 2026 11:00:00 GMT', 0],
  ['99999999999', 86_400_000],
  [' 7 ', 7_000],
  ['Friday, 20-Nov-26 12:01:00 GMT', 60_000],
  ['Fri Nov 20 12:01:00 2026', 60_000],
  ['Fri, 31 Dec 9999 23:59:59 GMT', 86_400_000],
  ['Fri, 99 Nov 2026 12:01:00 GMT', undefined],
  ['-5', undefined],
  // Years, for Date.parse.
  ['3600;', undefined],
  ['7, 9', undefined],
  ['2999-01-01', undefined],
  ['soon', undefined],
  ['', undefined],
])('Retry-After: %j is a wait of %j ms', (header, waitMs) => {
  expect(parseRetryAfter(header, NOW)).toBe(waitMs);
});
