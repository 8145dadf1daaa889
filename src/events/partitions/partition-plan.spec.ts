import * as fc from 'fast-check';
import {
  DAY_MS,
  lowestId,
  type PartitionedTable,
  partitionsExpired,
  partitionsMissing,
  partitionsNeeded,
} from './partition-plan';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const events: PartitionedTable = { kind: 'id-range', table: 'event', days: 7, retentionDays: 30 };
const ids: PartitionedTable = { kind: 'epoch', table: 'message_id', days: 7 };
const days: PartitionedTable = {
  kind: 'day-range',
  table: 'profile_day',
  days: 28,
  storage: 'fillfactor = 80',
};

describe('partitionsNeeded', () => {
  it('has the previous period, this one and two more, without a gap', () => {
    const needed = partitionsNeeded(events, NOW);
    expect(needed.map(({ name }) => name)).toEqual([
      'event_d7_2967',
      'event_d7_2968',
      'event_d7_2969',
      'event_d7_2970',
    ]);
    const bounds = needed.map(({ values }) => /from \('(.+)'\) to \('(.+)'\)/.exec(values)?.slice(1));
    expect(bounds.slice(1).map((bound) => bound?.[0])).toEqual(
      bounds.slice(0, -1).map((bound) => bound?.[1]),
    );
    expect(partitionsNeeded(ids, NOW)[1]).toEqual({
      name: 'message_id_d7_2968',
      values: 'in (2968)',
      storage: '',
    });
    expect(partitionsNeeded(days, NOW)[1]).toEqual({
      name: 'profile_day_d28_742',
      values: `from ('2026-11-19') to ('2026-12-17')`,
      storage: 'with (fillfactor = 80)',
    });
  });

  it('always covers now', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e12 }), fc.integer({ min: 1, max: 90 }), (nowMs, days) => {
        const [, current] = partitionsNeeded({ ...events, days }, nowMs);
        const [from = '', to = ''] =
          /from \('(.+)'\) to \('(.+)'\)/.exec(current?.values ?? '')?.slice(1) ?? [];
        expect(from <= lowestId(nowMs) && lowestId(nowMs) < to).toBe(true);
      }),
    );
  });
});

describe('partitionsMissing', () => {
  const missing = (existing: readonly string[]): string[] =>
    partitionsMissing(days, existing, NOW).map(({ name }) => name);

  it('has those that are not there', () => {
    expect(missing([])).toEqual([741, 742, 743, 744].map((period) => `profile_day_d28_${period}`));
    expect(missing(['profile_day_d28_741', 'profile_day_d28_742', 'profile_day_d28_744'])).toEqual([
      'profile_day_d28_743',
    ]);
  });

  it('has none whose days are in the partition below all others', () => {
    expect(missing(['profile_day_before', 'profile_day_d28_743'])).toEqual(['profile_day_d28_744']);
  });

  it('has those of a time in which nothing made any', () => {
    const existing = ['profile_day_before', 'profile_day_d28_738', 'profile_day_d28_739'];
    const periods = [740, 741, 742, 743, 744];
    expect(missing(existing)).toEqual(periods.map((period) => `profile_day_d28_${period}`));
  });
});

describe('partitionsExpired', () => {
  it('keeps days for good', () => {
    expect(partitionsExpired(days, ['profile_day_before', 'profile_day_d28_1'], NOW)).toEqual([]);
  });

  it('keeps what retention may still need', () => {
    const name = 'event_d7_2960';
    const endMs = 2961 * 7 * DAY_MS;
    expect(partitionsExpired(events, [name], endMs + 30 * DAY_MS - 1)).toEqual([]);
    expect(partitionsExpired(events, [name], endMs + 30 * DAY_MS)).toEqual([name]);
  });

  it('keeps the current and the previous epoch, of an earlier length too', () => {
    const existing = [
      'message_id_d7_2966',
      'message_id_d7_2967',
      'message_id_d7_2968',
      'message_id_d1_20776',
    ];
    expect(partitionsExpired(ids, existing, NOW)).toEqual(['message_id_d7_2966']);
    expect(partitionsExpired(ids, ['message_id_d1_20774'], NOW)).toEqual(['message_id_d1_20774']);
  });

  it('leaves other tables alone', () => {
    expect(partitionsExpired(events, ['event_old', 'other_d7_1', 'event_d7_x'], NOW)).toEqual([]);
  });
});

it.each([NOW, NOW + 0.5, NOW + 0.123, 0.9, -1])('lowestId makes a UUID of %p', (timeMs) => {
  expect(lowestId(timeMs)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-0000-0000-000000000000$/);
});
