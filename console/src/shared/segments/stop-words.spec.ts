import type { SequenceRule } from './rule-words';
import { stopWords } from './stop-words';

const RULE: SequenceRule = {
  sequence: [{ event: 'Added' }, { event: 'Paid', within: '2h' }],
  allWithin: '7d',
  not: { event: 'Left', within: '1d' },
  within: '30d',
};
const LIMIT = '2026-11-20T10:00:00.000Z';
const EVENT = { id: 'e-1', timestamp: '2026-11-20T13:00:00.000Z' };
type Stop = Parameters<typeof stopWords>[0];

describe('why somebody came no further along a sequence', () => {
  it.each<[Stop, string]>([
    [{ reason: 'never_came', step: 'sequence[0]' }, 'Step 1, "Added", never came'],
    [
      { reason: 'never_came', step: 'sequence[1]', limit: LIMIT, limitedBy: 'sequence[1].within' },
      'Step 2, "Paid", did not come until <limit> (within 2h after the step before)',
    ],
    [
      { reason: 'too_late', step: 'sequence[1]', limit: LIMIT, limitedBy: 'allWithin', event: EVENT },
      'Step 2, "Paid", came 3 h too late, at <e-1>: its time ended at <limit> (all steps within 7d)',
    ],
    [
      { reason: 'waiting', step: 'sequence[1]', limit: LIMIT, limitedBy: 'within' },
      'Step 2, "Paid", may still come until <limit> (the first step in the last 30d)',
    ],
    [
      { reason: 'waiting', step: 'sequence[1]', limit: LIMIT },
      'Step 2, "Paid", may still come until <limit> (as long as events are kept)',
    ],
    [
      { reason: 'waiting', step: 'not', limit: LIMIT, limitedBy: 'not.within' },
      '"Left" must not come until <limit> (within 1d after the last step)',
    ],
    [
      { reason: 'followed', step: 'not', limit: LIMIT, limitedBy: 'not.within', event: EVENT },
      '"Left" came in the time in which it must not, at <e-1>: before <limit> (within 1d after the last step)',
    ],
    [
      { reason: 'window_ends_first', step: 'not', limit: LIMIT, limitedBy: 'within' },
      'The first step leaves the window at <limit> (the first step in the last 30d), before the time of "Left" is over',
    ],
    [
      { reason: 'before_window', step: 'sequence[0]', limit: LIMIT, limitedBy: 'from' },
      'The first step was before the window, which begins at <limit>',
    ],
    [
      { reason: 'after_window', step: 'sequence[0]', limit: LIMIT, limitedBy: 'to' },
      'The first step was after the window, which ended at <limit>',
    ],
  ])('has words: %j', (stop, words) => {
    const said = stopWords(stop, RULE).map((part) => {
      if (typeof part === 'string') return part;
      return part.at === LIMIT ? '<limit>' : `<${part.eventId}>`;
    });
    expect(said.join('')).toBe(words);
  });
});
