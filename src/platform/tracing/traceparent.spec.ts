import { formatTraceparent, parseTraceparent } from './traceparent';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

describe('traceparent', () => {
  it('is read and written', () => {
    const context = { traceId: TRACE, spanId: SPAN, traceFlags: 1 };
    expect(parseTraceparent(`00-${TRACE}-${SPAN}-01`)).toEqual(context);
    expect(formatTraceparent(context)).toBe(`00-${TRACE}-${SPAN}-01`);
  });

  it('is read although it is of a later version', () => {
    expect(parseTraceparent(`01-${TRACE}-${SPAN}-03-more`)).toMatchObject({ traceId: TRACE, traceFlags: 1 });
  });

  it.each([
    '',
    'x',
    `00-${TRACE}-${SPAN}`,
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01-more`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
  ])('is none: %j', (text) => expect(parseTraceparent(text)).toBeUndefined());
});
