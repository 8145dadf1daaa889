import * as fc from 'fast-check';
import { anyEvent } from '../../../test/support/any-event';
import { clockTimeMs, groupTraitClock, isLater, traitClock } from './trait-clock';

describe('traitClock', () => {
  it('has no half of a character, wherever a messageId is cut', () => {
    const characters = fc.array(fc.constantFrom('x', '\u{1F600}'), { minLength: 20, maxLength: 60 });
    fc.assert(
      fc.property(characters, (all) => {
        expect(traitClock(anyEvent({ messageId: all.join('') })).isWellFormed()).toBe(true);
      }),
    );
  });
});

describe('isLater', () => {
  it('is the order of UTF-8 bytes, which is that of PostgreSQL', () => {
    const text = fc.string({ unit: 'grapheme-composite', maxLength: 4 });
    const close = fc.constantFrom(
      '',
      'a',
      '\uFFFD',
      '\u{1F600}',
      '\u{1F600}a',
      '\uD7FF',
      '\uE000',
      'a\u{10FFFF}',
    );
    fc.assert(
      fc.property(fc.oneof(text, close), fc.oneof(text, close), (a, b) => {
        expect(isLater(a, b)).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)) > 0);
      }),
    );
    expect(isLater('', undefined)).toBe(true);
  });
});

describe('clockTimeMs', () => {
  it('is the time of the event, whatever its messageId', () => {
    const time = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(time, fc.string({ minLength: 1 }), (date, messageId) => {
        const event = anyEvent({ timestamp: date.toISOString(), messageId });
        expect(clockTimeMs(traitClock(event))).toBe(date.getTime());
        expect(clockTimeMs(groupTraitClock(event))).toBe(date.getTime());
      }),
    );
  });
});
