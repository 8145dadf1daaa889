import * as fc from 'fast-check';
import { parseExactly } from '../../events/exact-json';
import type { Fields } from './field-values';
import { ownersSent, subjectsSent } from './subjects-sent';

/** What an entry of the indexes of `subjects` may have. */
const MAX_INDEXED_BYTES = 2_700;

describe('subjectsSent', () => {
  it.each([
    ['{"userId":"ada"}', ['u:ada']],
    ['{"anonymousId":"v","userId":"ada"}', ['u:ada', 'a:v']],
    ['{"userId":12345}', ['u:12345']],
    ['{"userId":1.0,"previousId":"was"}', ['u:1', 'u:was', 'a:was']],
    ['{"userId":12345678901234567890}', []],
    ['{"userId":{},"anonymousId":null,"previousId":""}', []],
    ['{"userId":"a\\u0000"}', ['u:a\uFFFD']],
  ])('of %s are those that an event of it would name', (sent, subjects) => {
    expect(subjectsSent(parseExactly(sent) as Fields)).toEqual(subjects);
  });

  it.each([
    ['{"userId":"ada","anonymousId":"v"}', ['u:ada']],
    ['{"userId":"undefined","anonymousId":"v"}', ['u:undefined', 'a:v']],
    ['{"previousId":"v"}', ['u:v', 'a:v']],
    ['{"anonymousId":"v","previousId":"x"}', ['u:x', 'a:v', 'a:x']],
    ['{"userId":"ada","anonymousId":"v","previousId":"x"}', ['u:ada', 'u:x', 'a:x']],
  ])('of %s are those whose it would be', (sent, owners) => {
    expect(ownersSent(parseExactly(sent) as Fields)).toEqual(owners);
  });

  it('fit into an index, whatever was sent', () => {
    const unit = fc.integer({ min: 1, max: 0x10ffff }).map((code) => String.fromCodePoint(code));
    fc.assert(
      fc.property(fc.string({ unit, minLength: 300, maxLength: 1_500 }), (userId) => {
        for (const subject of subjectsSent({ userId }))
          expect(Buffer.byteLength(subject)).toBeLessThan(MAX_INDEXED_BYTES);
      }),
    );
  });
});
