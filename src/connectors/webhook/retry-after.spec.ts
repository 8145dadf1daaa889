import { parseRetryAfter } from './retry-after';

const NOW = Date.parse('2026-11-20T12:00:00Z');

it.each([
  [undefined, undefined],
  ['120', 120_000],
  ['0', 0],
  ['Fri, 20 Nov 2026 12:01:00 GMT', 60_000],
  ['Fri, 20 Nov 2026 11:00:00 GMT', 0],
  ['99999999999', 86_400_000],
  ['-5', 0],
  ['soon', undefined],
  ['', undefined],
])('Retry-After: %j is a wait of %j ms', (header, waitMs) => {
  expect(parseRetryAfter(header, NOW)).toBe(waitMs);
});
