import * as fc from 'fast-check';
import { decodeUtf8 } from './decode-utf8';

/** Bytes that are no UTF-8, in pieces that almost are. */
const bytes = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 4 }),
      fc.string({ unit: 'binary', maxLength: 4 }).map((text) => Buffer.from(text)),
      fc.constantFrom([0xc0, 0x80], [0xe0, 0x80, 0x80], [0xed, 0xa0, 0x80], [0xf0, 0x8f, 0xbf, 0xbf]),
      fc.constantFrom([0xf4, 0x90, 0x80, 0x80], [0xf0, 0x9f, 0x98, 0x80], [0xf0, 0x9f], [0xef, 0xbf, 0xbd]),
    ),
    { maxLength: 8 },
  )
  .map((parts) => Buffer.concat(parts.map((part) => Buffer.from(part))));

/** The other way, as Python's "surrogateescape" does it. */
function encode(text: string): Buffer {
  return Buffer.concat(
    Array.from(text, (character) => {
      const code = character.codePointAt(0) ?? 0;
      return code >= 0xdc80 && code <= 0xdcff ? Buffer.from([code - 0xdc00]) : Buffer.from(character);
    }),
  );
}

describe('decodeUtf8', () => {
  it('loses no byte, whatever comes', () => {
    fc.assert(
      fc.property(bytes, (body) => {
        expect(encode(decodeUtf8(body))).toEqual(body);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['plain', 'plain'],
    ['caf\u00e9 \ud83d\ude00', 'caf\u00e9 \ud83d\ude00'],
  ])('reads %j', (text, read) => {
    expect(decodeUtf8(Buffer.from(text))).toBe(read);
    expect(decodeUtf8(Buffer.concat([Buffer.from(text), Buffer.from([0xe9])]))).toBe(`${read}\udce9`);
  });
});
