import { newCondition } from '../../../shared/segments/events/event-test-draft';
import { NEW_MEASURE } from '../../../shared/segments/events/measure-draft';
import { NO_TIME } from '../../../shared/segments/events/time-draft';
import { NO_WINDOW } from '../../../shared/segments/events/window-draft';
import { missingInRules } from './missing-in-rules';
import { changeRule, newGroup, newRule, type NodeDraft } from './rule-draft';
import { newSequence } from './sequence-draft';

const sum = { ...NEW_MEASURE, aggregate: 'sum', where: [newCondition()] } as const;
const range = { ...NEW_MEASURE, window: { ...NO_WINDOW, kind: 'range' } } as const;
const tooLong = {
  ...NEW_MEASURE,
  event: 'Paid',
  window: { ...NO_WINDOW, time: { count: '9999', unit: 'd' } },
} as const;

describe('what is missing in the rules', () => {
  it.each<[string, NodeDraft, string[]]>([
    ['a new rule', newRule(), ['Rule 1, Name or path']],
    [
      'numbers that are none',
      {
        ...newRule(),
        name: 'age',
        operator: 'in',
        values: ['1', 'x', ''].map((text) => ({ kind: 'number', text })),
      },
      ['Rule 1, Value 2', 'Rule 1, Value 3'],
    ],
    [
      'a sum',
      changeRule(changeRule(newRule(), { kind: 'measure' }), { measure: sum }),
      ['Of', 'Event name', 'Condition 1, Path in the event', 'In the last', 'Value'].map(
        (one) => `Rule 1, ${one}`,
      ),
    ],
    [
      'a number of events in a range that has no end',
      changeRule(changeRule(newRule(), { kind: 'event_count' }), { measure: range }),
      ['Rule 1, Event name', 'Rule 1, From or Before', 'Rule 1, Value'],
    ],
    [
      'a window that is too long',
      changeRule(changeRule(newRule(), { kind: 'event_count' }), { measure: tooLong }),
      ['Rule 1, In the last', 'Rule 1, Value'],
    ],
    ['a computed trait', changeRule(newRule(), { kind: 'computed' }), ['Rule 1, Which one']],
    ['a group', newGroup(), ['Rule 1.1, Name or path']],
    ['an empty group', { ...newGroup(), rules: [] }, ['Group 1, a rule']],
  ])('is known of %s', (_, node, missing) => {
    expect(missingInRules({ key: '', match: 'all', not: false, rules: [node] })).toEqual(missing);
  });

  it('is known of a sequence', () => {
    const [step, ...others] = newSequence().steps;
    const absent = step && { ...step, event: 'Paid', within: NO_TIME };
    const sequence = {
      ...newSequence(),
      steps: [step, ...others].filter((one) => one !== undefined),
      allWithin: { count: '9999', unit: 'd' } as const,
      absent,
    };
    expect(missingInRules({ key: '', match: 'all', not: false, rules: [sequence] })).toEqual(
      [
        'Step 1, Event name',
        'Step 2, Event name',
        'What does not follow, Within',
        'All steps within',
        'In the last',
      ].map((one) => `Sequence 1, ${one}`),
    );
    const alone = { ...newSequence(), steps: newSequence().steps.slice(0, 1) };
    expect(missingInRules({ key: '', match: 'all', not: false, rules: [alone] })).toContain(
      'Sequence 1, another step, or what does not follow',
    );
  });
});
