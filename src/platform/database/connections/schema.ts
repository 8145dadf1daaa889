/** The schema of a service that was given none. */
export const DEFAULT_SCHEMA = 'public';

/** The schema of BullMQ's PostgreSQL backend, beside that of the service. */
const QUEUE_SCHEMA = 'bullmq';

const NAME = /^[a-z][a-z0-9_]{0,39}$/;
/** What PostgreSQL keeps for itself, and what holds the queues of services. */
const TAKEN = /^(?:pg_.*|information_schema|bullmq(?:_.*)?|citus(?:_.*)?|columnar(?:_.*)?)$/;
/** The last one counts. */
const SEARCH_PATH = /.*(?:^|\s)-c\s+search_path=(\w+)/;

/**
 * What is wrong with the name of a schema; undefined when nothing is. In SQL it needs quotes where it is a word of it.
 */
export function problemOfSchema(name: string): string | undefined {
  if (!NAME.test(name))
    return 'must be a letter and up to 39 more of a to z, 0 to 9 and _, such as shop_eu: the name of a schema';
  return TAKEN.test(name) ? 'is a name that PostgreSQL or the queue has for itself' : undefined;
}

/**
 * The address of PostgreSQL, for connections whose tables are those of a schema. It is a parameter of the start of each
 * connection, so nothing that is said later changes it for others: not `discard all`, nor a pooler that gives the
 * connection to somebody else. One that ignores such parameters is found out, see `open-pool.ts`.
 */
export function inSchema(databaseUrl: string, schema: string): string {
  return schema === DEFAULT_SCHEMA || schemaOf(databaseUrl) === schema
    ? databaseUrl
    : withSetting(databaseUrl, 'search_path', schema);
}

/** The schema that an address is for. */
export function schemaOf(databaseUrl: string): string {
  return schemaIn(new URL(databaseUrl).searchParams.get('options')) ?? DEFAULT_SCHEMA;
}

/** The schema that the parameters of a connection ask for. */
export function schemaIn(options: string | null | undefined): string | undefined {
  return SEARCH_PATH.exec(options ?? '')?.[1];
}

/** The address, for connections that begin with a setting of PostgreSQL. */
export function withSetting(databaseUrl: string, name: string, value: string): string {
  const url = new URL(databaseUrl);
  const others = url.searchParams.get('options');
  url.searchParams.set('options', [...(others === null ? [] : [others]), `-c ${name}=${value}`].join(' '));
  return url.href;
}

/** The schema of the queue of a service that has `schema`. */
export function queueSchemaOf(schema: string): string {
  return schema === DEFAULT_SCHEMA ? QUEUE_SCHEMA : `${QUEUE_SCHEMA}_${schema}`;
}
