import * as fc from 'fast-check';
import {
  DAY_MS,
  lowestId,
  type PartitionedTable,
  partitionsExpired,
  partitionsNeeded,
} from './partition-plan';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const events: PartitionedTable = { kind: 'id-range', table: 'event', days: 7, retentionDays: 30 };
const ids: PartitionedTable = { kind: 'epoch', table: 'message_id', days: 7 };

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
    expect(partitionsNeeded(ids, NOW)[1]).toEqual({ name: 'message_id_d7_2968', values: 'in (2968)' });
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

describe('partitionsExpired', () => {
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
