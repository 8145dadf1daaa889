import * as fc from 'fast-check';
import { anyEvent } from '../../../test/support/any-event';
import { newRowId } from '../../platform/database/connections/database-clock';
import { clockTimeMs, isLater, traitClock } from './trait-clock';

const anyTime = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });

describe('traitClock', () => {
  it('is later for a later time, and of the same time for the event that was received later', () => {
    fc.assert(
      fc.property(anyTime, fc.integer({ min: -1, max: 1 }), (date, ms) => {
        const [first, second] = [date, new Date(date.getTime() + ms)].map((time) =>
          traitClock(anyEvent({ timestamp: time.toISOString(), id: newRowId() })),
        ) as [string, string];
        expect([isLater(second, first), isLater(first, second)]).toEqual([ms >= 0, ms < 0]);
      }),
    );
  });

  it('is later for what was received later, whenever it was processed', () => {
    const [sooner, later] = ['2026-11-29T12:00:00.002Z', '2026-11-29T12:00:00.001Z'].map((receivedAt) =>
      traitClock(anyEvent({ receivedAt, id: newRowId() })),
    ) as [string, string];
    expect([isLater(sooner, later), isLater(later, sooner)]).toEqual([true, false]);
  });

  it('is later than none', () => {
    expect(isLater(traitClock(anyEvent()), undefined)).toBe(true);
  });
});

describe('clockTimeMs', () => {
  it('is the time of the event', () => {
    fc.assert(
      fc.property(anyTime, (date) => {
        expect(clockTimeMs(traitClock(anyEvent({ timestamp: date.toISOString() })))).toBe(date.getTime());
      }),
    );
  });
});
