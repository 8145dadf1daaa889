import { type Connection, type Pool, Query, type QueryResult, type QueryResultRow } from 'pg';

const BIND = 0x42;
const NULL_LENGTH = -1;
const TEXT_FORMAT = 0;
const BINARY_FORMAT = 1;
/** Up to here one copy costs less than a write of many parts. */
const SMALL_BYTES = 16 * 1024;

/** What a statement may be given here: bytes in PostgreSQL's binary format, text, a number or null. */
export type BoundValue = Buffer | string | number | null;

interface UncopiedQuery {
  /** Of a prepared statement. */
  readonly name?: string | undefined;
  readonly text: string;
  readonly values: readonly BoundValue[];
}

/**
 * Runs a {@link uncopiedQuery} on a connection of the pool, which is given up where no answer comes in time.
 * @throws what PostgreSQL says, or that it says nothing
 */
export async function queryUncopied<Row extends QueryResultRow>(
  pool: Pool,
  config: UncopiedQuery,
  timeoutMs: number,
): Promise<QueryResult<Row>> {
  const client = await pool.connect();
  return new Promise((resolve, reject) => {
    let isOver = false;
    const end = (error: Error | null, result?: QueryResult<Row>): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      client.release(error ?? undefined);
      if (result === undefined) reject(error ?? new Error('PostgreSQL answered nothing.'));
      else resolve(result);
    };
    const timer = setTimeout(() => end(new Error('Query read timeout')), timeoutMs);
    void client.query(uncopiedQuery(config) as never, end as never);
  });
}

/**
 * A query whose buffers go to the socket as they are. node-postgres copies values together in a buffer that it makes
 * larger and larger: with the rows of a group commit that is three times their size, every time, and V8 marks the whole
 * heap for each 24 MB of buffers. The values must not change until the query has ended.
 */
export function uncopiedQuery(config: UncopiedQuery): Query {
  const query = new Query({ name: config.name, text: config.text, values: [...config.values] });
  const submit = query.submit.bind(query);
  const submitUncopied: Query['submit'] = (connection) => submit(withoutCopies(connection, config));
  query.submit = submitUncopied; // Not as it is made: see `lean-client.ts`.
  return query;
}

/** The connection, but for how it sends values. */
function withoutCopies(connection: Connection, { name, values }: UncopiedQuery): Connection {
  const bind = (): void => {
    if (!connection.stream.writable) return;
    for (const part of bindMessage(name ?? '', values)) connection.stream.write(part);
  };
  return Object.assign(Object.create(connection) as Connection, { bind });
}

/** https://www.postgresql.org/docs/current/protocol-message-formats.html, Bind, to the unnamed portal. */
function bindMessage(statement: string, values: readonly BoundValue[]): Buffer[] {
  const encoded = values.map((value) =>
    value === null || Buffer.isBuffer(value) ? value : Buffer.from(String(value)),
  );
  const parts = [
    Buffer.from(`\0${statement}\0`),
    int16s(values.length, ...values.map((value) => (Buffer.isBuffer(value) ? BINARY_FORMAT : TEXT_FORMAT))),
    int16s(values.length),
    ...encoded.flatMap((value) => (value === null ? [int32(NULL_LENGTH)] : [int32(value.length), value])),
    int16s(1, TEXT_FORMAT), // Of the result.
  ];
  const bytes = parts.reduce((sum, { length }) => sum + length, 0);
  const message = [Buffer.from([BIND]), int32(bytes + Int32Array.BYTES_PER_ELEMENT), ...parts];
  return bytes <= SMALL_BYTES ? [Buffer.concat(message)] : message;
}

function int32(value: number): Buffer {
  const buffer = Buffer.allocUnsafe(Int32Array.BYTES_PER_ELEMENT);
  buffer.writeInt32BE(value);
  return buffer;
}

function int16s(...values: readonly number[]): Buffer {
  const buffer = Buffer.allocUnsafe(values.length * Int16Array.BYTES_PER_ELEMENT);
  values.forEach((value, index) => buffer.writeInt16BE(value, index * Int16Array.BYTES_PER_ELEMENT));
  return buffer;
}
