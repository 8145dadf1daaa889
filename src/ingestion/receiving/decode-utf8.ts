import { isUtf8 } from 'node:buffer';

/** Where bytes go that belong to no character: byte 0x80 to U+DC80, as Python's "surrogateescape" does. */
const ESCAPED_BYTES = 0xdc00;

/**
 * The text of a body. JSON is UTF-8, but what some clients put into it is not. Each byte that belongs to no character
 * becomes half of a surrogate pair, which `cleanJson` replaces later: until then texts that differ stay different.
 */
export function decodeUtf8(body: Buffer): string {
  const bytes = withoutByteOrderMark(body);
  if (isUtf8(bytes)) return bytes.toString('utf8');
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < bytes.length;) {
    const length = characterLength(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    parts.push(bytes.toString('utf8', from, at), String.fromCharCode(ESCAPED_BYTES + (bytes[at] ?? 0)));
    at += 1;
    from = at;
  }
  parts.push(bytes.toString('utf8', from));
  return parts.join('');
}

/** Some clients on Windows begin a text with it. */
function withoutByteOrderMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

/** Bytes of the character that starts at `at`; 0 when none does (RFC 3629, section 4). */
function characterLength(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const second = bytes[at + 1] ?? 0;
  if (first < 0xc2 || first > 0xf4 || !continues(second)) return 0;
  if (first < 0xe0) return 2;
  if (!continues(bytes[at + 2])) return 0;
  // Overlong forms and surrogates are no characters.
  if (first < 0xf0) return (first === 0xe0 && second < 0xa0) || (first === 0xed && second > 0x9f) ? 0 : 3;
  if (!continues(bytes[at + 3])) return 0;
  return (first === 0xf0 && second < 0x90) || (first === 0xf4 && second > 0x8f) ? 0 : 4;
}

function continues(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x80 && byte < 0xc0;
}
