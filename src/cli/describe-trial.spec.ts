import { describeTrial, meets } from './describe-trial';

const PREVIEW = {
  events: 201,
  complete: true,
  outcomes: { pass: 180, observe: 1, omit: 0, quarantine: 0, block: 20 },
  violations: [
    {
      rule: 'track Order Completed',
      path: 'properties.total',
      code: 'schema_violation',
      message: 'It must be number.',
      events: 20,
      outcomes: { observe: 0, omit: 0, quarantine: 0, block: 20 },
      examples: [
        {
          eventId: 'e-1',
          messageId: 'm-1',
          receivedAt: '2026-11-20T12:00:00.000Z',
          outcome: 'block',
          path: 'properties.total',
        },
      ],
    },
  ],
} as const;
const SOURCE = { id: 's-1', name: 'Web' };

describe('describeTrial', () => {
  it('says what would become of the events, by rule and path, with examples', () => {
    expect(describeTrial({ plan: 'Shop', source: SOURCE, preview: PREVIEW }).split('\n')).toEqual([
      'Tracking plan "Shop" on the last 201 stored events of source "Web":',
      '  180 would pass',
      '  1 would be accepted with a warning',
      '  20 would be rejected',
      '  - 20 events (block 20): track Order Completed, properties.total: It must be number. [schema_violation]',
      '      such as 2026-11-20T12:00:00.000Z messageId m-1 (event e-1): block',
      '',
    ]);
  });

  it('says when there was no time for all', () => {
    const preview = { ...PREVIEW, complete: false };
    expect(describeTrial({ plan: undefined, source: SOURCE, preview })).toContain(
      'no time to look at as many',
    );
  });

  it('says when there was nothing to try it on', () => {
    const outcomes = { pass: 0, observe: 0, omit: 0, quarantine: 0, block: 0 };
    const preview = { events: 0, complete: true, outcomes, violations: [] };
    expect(describeTrial({ plan: 'Shop', source: SOURCE, preview })).toBe(
      'Tracking plan "Shop" was not tried: source "Web" has no stored events.\n',
    );
  });

  it('lets no name begin a line, or speak to the terminal', () => {
    const [violation] = PREVIEW.violations;
    const rule = 'track X\n::error::forged\r\u001B[2J';
    const preview = { ...PREVIEW, violations: [{ ...violation, rule }] };
    const lines = describeTrial({ plan: 'a\n::b', source: SOURCE, preview }).split('\n');
    expect(lines).toHaveLength(7);
    expect(lines.join('')).not.toMatch(/\p{C}/u);
    expect(lines.filter((line) => line.trimStart().startsWith('::'))).toEqual([]);
  });
});

describe('meets', () => {
  it.each([
    ['observe', true],
    ['omit', false],
    ['block', false],
  ] as const)('tells whether events met with %s or more: %s', (action, expected) => {
    const outcomes = { pass: 1, observe: 1, omit: 0, quarantine: 0, block: 0 };
    expect(meets({ ...PREVIEW, outcomes }, action)).toBe(expected);
  });

  it('counts what is stronger', () => {
    expect(meets(PREVIEW, 'omit')).toBe(true);
  });
});
