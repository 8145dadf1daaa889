import { isJsonObject, type JsonObject, type JsonValue } from '../../events/customer-event';
import { InputProblems } from '../../platform/http/input/input-problems';
import { isDeeperThan } from '../../platform/http/input/is-deeper-than';
import { MAX_SCHEMA_DEPTH } from '../language/limits';

/** `common` is for all events. */
const FOREIGN_TYPES = ['track', 'identify', 'page', 'screen', 'group', 'common'] as const;
export type ForeignType = (typeof FOREIGN_TYPES)[number];

/** A rule as Segment or RudderStack has it. */
export interface ForeignRule {
  readonly type: ForeignType;
  readonly event?: string;
  /** `2`, or `1-0-0`; there may be several of an event. */
  readonly version: string;
  readonly schema: JsonObject;
  /** Of the schema in the document. */
  readonly path: string;
  /** Of what names the event. */
  readonly namePath: string;
}

const UNREADABLE = 'unknown_plan';
/** Rules of the older form that stand beside its events. */
const OF_TYPES = ['identify', 'group', 'page', 'screen', 'common'] as const;
const MAX_WRAPPERS = 3;

/**
 * The rules of a tracking plan of Segment or RudderStack, in any of the forms in which their APIs and tools write one:
 *
 * - Segment's Public API: `rules: [{type: 'TRACK', key, version, jsonSchema}]`, also below `data`
 *   (https://docs.segmentapis.com/tag/Tracking-Plans/);
 * - Segment's Config API, and RudderStack's first one: `rules: {events: [{name, version, eventType, rules}], global,
 *   identify, group}` (https://reference.segmentapis.com/, https://www.rudderstack.com/docs/api/tracking-plan-api/);
 * - RudderStack's Data Catalog API: an event with `format=schema`, `{name, eventType, rules}`, or a list of them
 *   in `events`, `data` or `rules`
 *   (https://www.rudderstack.com/docs/api/data-catalog-api/tracking-plans/).
 *
 * What is none of them is noted in `problems`.
 */
export function readForeignRules(document: JsonObject, problems: InputProblems): ForeignRule[] {
  const { content, path } = unwrap(document);
  if ('eventType' in content) return readEntries([content], () => path, problems);
  const { rules } = content;
  if (isJsonObject(rules)) return readOlderForm(rules, join(path, 'rules'), problems);
  for (const name of ['rules', 'events', 'data']) {
    const entries = content[name];
    if (!Array.isArray(entries)) continue;
    return readEntries(entries, (index) => join(path, `${name}[${index}]`), problems);
  }
  return problems.fail(join(path, 'rules'), UNREADABLE, NO_RULES) ?? [];
}

const NO_SCHEMA = 'Must be a JSON Schema: an object. RudderStack answers it with format=schema.';
const NO_RULES = 'Must be the rules of a tracking plan, as the API of Segment or RudderStack answers them.';

/** Without what answers of APIs stand in. */
export function unwrap(document: JsonObject): { readonly content: JsonObject; readonly path: string } {
  let content = document;
  let path = '';
  for (let level = 0; level < MAX_WRAPPERS; level += 1) {
    const name = ['data', 'trackingPlan', 'tracking_plan'].find((one) => isJsonObject(content[one]));
    if (name === undefined || 'rules' in content) break;
    content = content[name] as JsonObject;
    path = join(path, name);
  }
  return { content, path };
}

function readOlderForm(rules: JsonObject, path: string, problems: InputProblems): ForeignRule[] {
  const { events = [], global: common, ...others } = rules;
  if (!Array.isArray(events))
    return problems.fail(`${path}.events`, UNREADABLE, 'Must be an array of events.') ?? [];
  const named = readEntries(events, (index) => `${path}.events[${index}]`, problems);
  const ofTypes = OF_TYPES.flatMap((type) => {
    const given = type === 'common' ? common : others[type];
    const name = type === 'common' ? 'global' : type;
    if (given === undefined || given === null) return [];
    const schema = readSchema(given, `${path}.${name}`, problems);
    const where = { path: `${path}.${name}`, namePath: `${path}.${name}` };
    return schema === undefined ? [] : [{ type, version: '', schema, ...where }];
  });
  return [...named, ...ofTypes];
}

function readEntries(
  entries: readonly JsonValue[],
  pathOf: (index: number) => string,
  problems: InputProblems,
): ForeignRule[] {
  return entries.flatMap((entry, index) => {
    const rule = readEntry(entry, pathOf(index), problems);
    return rule === undefined ? [] : [rule];
  });
}

/** One of Segment has `key` and `jsonSchema`; otherwise they are called `name` and `rules`. */
function readEntry(entry: JsonValue, path: string, problems: InputProblems): ForeignRule | undefined {
  if (!isJsonObject(entry)) return problems.fail(path, UNREADABLE, 'Must be a rule: an object.');
  const isSegments = 'jsonSchema' in entry;
  const names = isSegments
    ? (['type', 'key', 'jsonSchema'] as const)
    : (['eventType', 'name', 'rules'] as const);
  const [typeName, nameName, schemaName] = names;
  const given = entry[typeName] ?? 'track';
  const lower = typeof given === 'string' ? given.toLowerCase() : given;
  const type = problems.oneOf(FOREIGN_TYPES, lower, join(path, typeName), UNREADABLE);
  const schema = readSchema(entry[schemaName], join(path, schemaName), problems);
  if (type === undefined || schema === undefined) return undefined;
  const { [nameName]: event, version } = entry;
  return {
    type,
    ...(typeof event === 'string' && event !== '' ? { event } : {}),
    version: typeof version === 'number' || typeof version === 'string' ? String(version) : '',
    schema,
    path: join(path, schemaName),
    namePath: join(path, nameName),
  };
}

/** Of this depth at most, so that going through it needs no care. */
function readSchema(
  given: JsonValue | undefined,
  path: string,
  problems: InputProblems,
): JsonObject | undefined {
  if (!isJsonObject(given)) return problems.fail(path, UNREADABLE, NO_SCHEMA);
  if (!isDeeperThan(MAX_SCHEMA_DEPTH, given)) return given;
  return problems.fail(path, 'schema_too_deep', `Nest a schema at most ${MAX_SCHEMA_DEPTH} levels deep.`);
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
