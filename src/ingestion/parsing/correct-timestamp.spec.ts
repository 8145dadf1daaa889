import * as fc from 'fast-check';
import { correctTimestamp } from './correct-timestamp';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const HOUR = 3_600_000;

describe('correctTimestamp', () => {
  it('moves an event by the difference of the clocks', () => {
    expect(correctTimestamp(NOW + 5 * HOUR, NOW + 6 * HOUR, NOW)).toBe(NOW - HOUR);
    expect(correctTimestamp(0, HOUR, NOW)).toBe(NOW - HOUR);
  });

  it.each([-499, 0, 1, 499])('takes %d ms for the way of the request, not for a difference', (ms) => {
    expect(correctTimestamp(NOW - HOUR, NOW - ms, NOW)).toBe(NOW - HOUR);
  });

  it.each([-500, 500])('moves an event by %d ms', (ms) => {
    expect(correctTimestamp(NOW - HOUR, NOW - ms, NOW)).toBe(NOW - HOUR + ms);
  });

  it('leaves an event alone that does not say when it was sent', () => {
    expect(correctTimestamp(NOW - 5 * HOUR, undefined, NOW)).toBe(NOW - 5 * HOUR);
  });

  it.each([
    ['the year 9999', Date.parse('9999-12-31T23:59:59Z'), undefined],
    ['the year 1', Date.parse('0001-01-01T00:00:00Z'), undefined],
    ['two days ahead of its sending', NOW + 48 * HOUR, NOW],
  ])('takes the time of reception for %s', (_name, timestampMs, sentAtMs) => {
    expect(correctTimestamp(timestampMs, sentAtMs, NOW)).toBe(NOW);
  });

  it('never answers a time before 1970 or more than a day ahead', () => {
    const anyMs = fc.integer({ min: -1e14, max: 1e14 });
    fc.assert(
      fc.property(anyMs, fc.option(anyMs, { nil: undefined }), (timestampMs, sentAtMs) => {
        const corrected = correctTimestamp(timestampMs, sentAtMs, NOW);
        expect(corrected).toBeGreaterThanOrEqual(0);
        expect(corrected).toBeLessThanOrEqual(NOW + 24 * HOUR);
      }),
    );
  });
});
