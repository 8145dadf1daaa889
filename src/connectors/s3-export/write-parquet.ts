import { Readable } from 'node:stream';
import type { ByteWriter, ParquetWriter, SchemaElement } from 'hyparquet-writer';
import type { JsonObject } from '../../events/customer-event';
import type { OutboundEvent } from '../connector';

/** A row group is closed at whichever comes first; this is what bounds the memory of an export. */
const ROW_GROUP_ROWS = 10_000;
const ROW_GROUP_BYTES = 4 * 1024 * 1024;

type ColumnKind = 'STRING' | 'TIMESTAMP' | 'JSON';

/** The columns and the members of the event they hold. What no column can hold is in `other`, as JSON. */
const COLUMNS: readonly { readonly name: string; readonly member: string; readonly kind: ColumnKind }[] = [
  { name: 'message_id', member: 'messageId', kind: 'STRING' },
  { name: 'type', member: 'type', kind: 'STRING' },
  { name: 'event', member: 'event', kind: 'STRING' },
  { name: 'name', member: 'name', kind: 'STRING' },
  { name: 'user_id', member: 'userId', kind: 'STRING' },
  { name: 'anonymous_id', member: 'anonymousId', kind: 'STRING' },
  { name: 'group_id', member: 'groupId', kind: 'STRING' },
  { name: 'timestamp', member: 'timestamp', kind: 'TIMESTAMP' },
  { name: 'received_at', member: 'receivedAt', kind: 'TIMESTAMP' },
  { name: 'properties', member: 'properties', kind: 'JSON' },
  { name: 'traits', member: 'traits', kind: 'JSON' },
  { name: 'context', member: 'context', kind: 'JSON' },
];
const OTHER = { name: 'other' } as const;

const SCHEMA: SchemaElement[] = [
  { name: 'root', num_children: COLUMNS.length + 1 },
  ...COLUMNS.map(({ name, kind }) => schemaElement(name, kind)),
  schemaElement(OTHER.name, 'JSON'),
];

/** The events as a Parquet file (Snappy). The same events give the same bytes. */
export async function writeParquet(events: AsyncIterable<OutboundEvent>): Promise<Readable> {
  // Loaded when it is first needed, like the AWS SDK.
  const library = await import('hyparquet-writer');
  return Readable.from(chunksOf(events, library), { objectMode: false });
}

async function* chunksOf(
  events: AsyncIterable<OutboundEvent>,
  library: typeof import('hyparquet-writer'),
): AsyncIterable<Buffer> {
  const bytes = new library.ByteWriter();
  const parquet = new library.ParquetWriter({ writer: bytes, schema: SCHEMA, createdBy: 'cdp-service' });
  let group: string[] = [];
  let groupBytes = 0;
  for await (const event of events) {
    group.push(event.body);
    groupBytes += event.body.length;
    if (group.length < ROW_GROUP_ROWS && groupBytes < ROW_GROUP_BYTES) continue;
    writeRowGroup(parquet, group);
    yield take(bytes);
    group = [];
    groupBytes = 0;
  }
  if (group.length > 0) writeRowGroup(parquet, group);
  void parquet.finish();
  yield take(bytes);
}

function writeRowGroup(parquet: ParquetWriter, bodies: readonly string[]): void {
  const data = new Map<string, unknown[]>([...COLUMNS, OTHER].map(({ name }) => [name, []]));
  for (const body of bodies) {
    const rest = JSON.parse(body) as JsonObject;
    for (const { name, member, kind } of COLUMNS) {
      const value = cell(rest[member], kind);
      data.get(name)?.push(value);
      if (value !== undefined) delete rest[member];
    }
    data.get(OTHER.name)?.push(Object.keys(rest).length === 0 ? undefined : rest);
  }
  void parquet.write({
    columnData: [...data].map(([name, values]) => ({ name, data: values })),
    rowGroupSize: bodies.length,
  });
}

/** The value as its column holds it, or undefined when the column cannot; such a value goes to `other`. */
function cell(value: JsonObject[string] | undefined, kind: ColumnKind): unknown {
  if (value === undefined || value === null) return undefined;
  if (kind === 'JSON') return value;
  if (typeof value !== 'string') return undefined;
  if (kind === 'STRING') return value;
  const time = new Date(value);
  return time.toJSON() === value ? time : undefined;
}

function schemaElement(name: string, kind: ColumnKind): SchemaElement {
  if (kind === 'TIMESTAMP') {
    return { name, type: 'INT64', converted_type: 'TIMESTAMP_MILLIS', repetition_type: 'OPTIONAL' };
  }
  return {
    name,
    type: 'BYTE_ARRAY',
    converted_type: kind === 'JSON' ? 'JSON' : 'UTF8',
    repetition_type: 'OPTIONAL',
  };
}

/** Takes out what was written so far. `offset` goes on counting, as the file's footer needs it to. */
function take(bytes: ByteWriter): Buffer {
  const chunk = Buffer.from(bytes.getBuffer());
  bytes.index = 0;
  return chunk;
}
