import * as fc from 'fast-check';
import { EventStream } from './event-stream';

const TEXT = [
  ': listening\n\n',
  'event: accepted\ndata: {"name":"Größe: 1"}\n\n',
  'id: 7:7:\n\n',
  ': still here\n\n',
  'event: left_out\ndata: {"count":3}\n\n',
].join('');

const MESSAGES = [
  { type: 'accepted', data: '{"name":"Größe: 1"}' },
  { type: 'left_out', data: '{"count":3}' },
];

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
        expect(messages).toEqual(MESSAGES);
        expect(stream.lastId).toBe('7:7:');
      }),
    );
  });

  it('reads what comes over another connection, wherever the one before was cut', () => {
    const bytes = new TextEncoder().encode(TEXT);
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const stream = new EventStream();
      stream.readMessages(bytes.subarray(0, cut));
      stream.reconnect();
      expect(stream.readMessages(bytes)).toEqual(MESSAGES);
      expect(stream.lastId).toBe('7:7:');
    }
  });
});
