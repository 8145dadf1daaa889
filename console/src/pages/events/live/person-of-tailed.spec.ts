import { personOfTailed } from './person-of-tailed';
import type { Tailed } from './tail-list';

const rejected = (payload: string): Tailed => ({ outcome: 'rejected', event: { payload } }) as Tailed;

describe('the person of an event that has come in', () => {
  it.each([
    ['a user', '{"userId":"ada","anonymousId":"a-1"}', { userId: 'ada', anonymousId: 'a-1' }],
    ['a visitor', '{"anonymousId":"a-1"}', { userId: null, anonymousId: 'a-1' }],
    [
      'nobody, by ids that are none',
      '{"userId":{"id":1},"anonymousId":""}',
      { userId: null, anonymousId: null },
    ],
    [
      'nobody that can be read, where it was cut',
      '{"userId":"ada","prop',
      { userId: null, anonymousId: null },
    ],
    ['nobody, where it is no object', 'null', { userId: null, anonymousId: null }],
  ])('that was rejected is %s', (_, payload, expected) => {
    expect(personOfTailed(rejected(payload))).toEqual(expected);
  });

  it('that is quarantined is whom it names', () => {
    const event = { outcome: 'quarantined', event: { event: { userId: 'ada' } } } as unknown as Tailed;
    expect(personOfTailed(event)).toEqual({ userId: 'ada', anonymousId: null });
  });
});
