/** Types of PostgreSQL with their object ids (`pg_type.dat`), which an array names in front of its elements. */
const OIDS = { int4: 23, int8: 20, json: 114, text: 25, timestamptz: 1184, uuid: 2950 } as const;

const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;
/** In the place of a length. */
const NULL_LENGTH = -1;

/** On average. */
const SHORT_CHARACTERS = 64;
/** Takes the place of a length. */
const LENGTH_GAP = '\0'.repeat(LENGTH_BYTES);

const UUID_BYTES = 16;
const LONG_BYTES = 8;
/** PostgreSQL counts from 2000-01-01. */
const EPOCH_MS = 946_684_800_000;
const TWO_TO_32 = 2 ** 32;

/**
 * Arrays in PostgreSQL's binary format (`array_recv`), for statements with many rows: nothing has to be escaped here
 * or parsed there. node-postgres sends a `Buffer` as it is, so the parameter must be cast to the type of the array.
 */

/** A `uuid[]`, with or without dashes. */
export function uuidArray(values: readonly string[]): Buffer {
  return fixedArray('uuid', UUID_BYTES, values, (buffer, value, at) =>
    buffer.write(value.length === 2 * UUID_BYTES ? value : value.replaceAll('-', ''), at, UUID_BYTES, 'hex'),
  );
}

/** A `timestamptz[]` of milliseconds since 1970. */
export function timestampArray(values: readonly number[]): Buffer {
  return fixedArray('timestamptz', LONG_BYTES, values, (buffer, value, at) =>
    writeLong(buffer, (value - EPOCH_MS) * 1000, at),
  );
}

/** An `int[]`. */
export function intArray(values: readonly number[]): Buffer {
  return fixedArray('int4', LENGTH_BYTES, values, (buffer, value, at) => buffer.writeInt32BE(value, at));
}

/** A `bigint[]` of safe integers. */
export function bigintArray(values: readonly number[]): Buffer {
  return fixedArray('int8', LONG_BYTES, values, writeLong);
}

/** A `text[]`; undefined is null. */
export function textArray(values: readonly (string | undefined)[]): Buffer {
  return shortTexts(values) ?? longTexts(values);
}

/** All texts are written by one call, where they are short and of ASCII: for each its own takes three times as long. */
function shortTexts(values: readonly (string | undefined)[]): Buffer | undefined {
  const characters = values.reduce((sum, value) => sum + (value?.length ?? 0), 0);
  if (values.length === 0 || characters > values.length * SHORT_CHARACTERS) return undefined;
  const texts = LENGTH_GAP + values.join(LENGTH_GAP);
  if (Buffer.byteLength(texts) > texts.length) return undefined;
  const buffer = start('text', values.length, characters, values.includes(undefined));
  buffer.write(texts, HEADER_BYTES, 'latin1');
  let at = HEADER_BYTES;
  values.forEach((value) => {
    at = buffer.writeInt32BE(value?.length ?? NULL_LENGTH, at) + (value?.length ?? 0);
  });
  return buffer;
}

function longTexts(values: readonly (string | undefined)[]): Buffer {
  const lengths = values.map((value) => (value === undefined ? NULL_LENGTH : Buffer.byteLength(value)));
  const bytes = lengths.reduce((sum, length) => sum + Math.max(0, length), 0);
  const buffer = start('text', values.length, bytes, lengths.includes(NULL_LENGTH));
  let at = HEADER_BYTES;
  values.forEach((value, index) => {
    at = buffer.writeInt32BE(lengths[index] ?? NULL_LENGTH, at);
    if (value !== undefined) at += buffer.write(value, at);
  });
  return buffer;
}

/** A `json[]` of texts in UTF-8. */
export function jsonArray(values: readonly Buffer[]): Buffer {
  const bytes = values.reduce((sum, { length }) => sum + length, 0);
  const buffer = start('json', values.length, bytes);
  let at = HEADER_BYTES;
  values.forEach((value) => {
    at = buffer.writeInt32BE(value.length, at);
    buffer.set(value, at);
    at += value.length;
  });
  return buffer;
}

function writeLong(buffer: Buffer, value: number, at: number): void {
  const high = Math.floor(value / TWO_TO_32);
  buffer.writeInt32BE(high, at);
  buffer.writeUInt32BE(value - high * TWO_TO_32, at + LENGTH_BYTES);
}

function fixedArray<Value>(
  type: keyof typeof OIDS,
  bytes: number,
  values: readonly Value[],
  write: (buffer: Buffer, value: Value, at: number) => void,
): Buffer {
  const buffer = start(type, values.length, values.length * bytes);
  let at = HEADER_BYTES;
  values.forEach((value) => {
    at = buffer.writeInt32BE(bytes, at);
    write(buffer, value, at);
    at += bytes;
  });
  return buffer;
}

/** A buffer of the right size with the header: dimensions, nulls, type, and for the one dimension length and start. */
function start(type: keyof typeof OIDS, count: number, bytes: number, hasNulls = false): Buffer {
  const buffer = Buffer.allocUnsafe(HEADER_BYTES + count * LENGTH_BYTES + bytes);
  const header = [count === 0 ? 0 : 1, hasNulls ? 1 : 0, OIDS[type], count, 1];
  header.forEach((value, index) => buffer.writeInt32BE(value, index * LENGTH_BYTES));
  return count === 0 ? buffer.subarray(0, 3 * LENGTH_BYTES) : buffer;
}
