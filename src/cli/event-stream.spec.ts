import * as fc from 'fast-check';
import { EventStream } from './event-stream';

const TEXT = [
  ': listening\n\n',
  'event: accepted\ndata: {"name":"Größe: 1"}\n\n',
  'id: 7:7:\n\n',
  ': still here\n\n',
  'event: left_out\ndata: {"count":3}\n\n',
].join('');

describe('EventStream', () => {
  it('reads the same messages however the bytes are cut', () => {
    const bytes = new TextEncoder().encode(TEXT);
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length)), (cuts) => {
        const stream = new EventStream();
        const ends = [...cuts, bytes.length].sort((a, b) => a - b);
        const messages = ends.flatMap((end, index) =>
          stream.readMessages(bytes.subarray(ends[index - 1] ?? 0, end)),
        );
        expect(messages).toEqual([
          { type: 'accepted', data: '{"name":"Größe: 1"}' },
          { type: 'left_out', data: '{"count":3}' },
        ]);
        expect(stream.lastId).toBe('7:7:');
      }),
    );
  });
});
