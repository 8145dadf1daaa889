import { describeEvent } from './describe-event';

const EVENT = {
  receivedAt: '2026-11-20T12:00:01.234Z',
  type: 'track',
  name: 'Order Completed',
  userId: 'ada',
  anonymousId: 'v-1',
  messageId: 'm-1',
};
const line = (type: string, data: object): string => describeEvent({ type, data: JSON.stringify(data) });

describe('describeEvent', () => {
  it('writes one line for an event', () => {
    expect(line('accepted', EVENT)).toMatch(/^12:00:01\.234 +accepted +track +Order Completed +ada +m-1$/);
    expect(line('accepted', { ...EVENT, userId: null })).toContain(' v-1 ');
  });

  it('says what is wrong with a quarantined one', () => {
    const violations = [
      { code: 'schema_violation', path: 'properties.total', rule: 'track Order Completed' },
    ];
    const event = { userId: 'ada', context: { trackingPlan: { id: 'p', version: 1, violations } } };
    const { receivedAt, type, name, messageId } = EVENT;
    expect(line('quarantined', { receivedAt, type, name, messageId, event })).toMatch(
      /^12:00:01\.234 +quarantined +track +Order Completed +properties\.total schema_violation +m-1$/,
    );
  });

  it('says what is wrong with a rejected one, as far as it can be made out', () => {
    const problems = [
      { code: 'not_an_object', path: '' },
      { code: 'missing', path: 'event' },
    ];
    const rejected = { receivedAt: EVENT.receivedAt, type: null, name: null, messageId: null, problems };
    expect(line('rejected', rejected)).toMatch(
      /^12:00:01\.234 +rejected +- +- +not_an_object, event missing +-$/,
    );
  });

  it('counts what is not shown', () => {
    expect(line('left_out', { count: 12 })).toBe('… and 12 more that are not shown');
  });

  it('lets no event speak to the terminal', () => {
    const shown = line('accepted', { ...EVENT, name: '\u001B[2J\u009B1A\nforged\u202E' });
    expect(shown).not.toMatch(/\p{C}/u);
    expect(shown).toContain(String.raw`\u001b[2J`);
  });
});
