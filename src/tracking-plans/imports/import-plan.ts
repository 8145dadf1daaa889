import { isJsonObject, type JsonObject, type JsonValue } from '../../events/customer-event';
import { InputProblems } from '../../platform/http/input/input-problems';
import { fitText } from '../../platform/http/input/text';
import type { ProblemDetail } from '../../platform/http/problems/problem';
import { MAX_PLAN_BYTES } from '../language/limits';
import { parsePlan } from '../language/parse-plan';
import type { PlanContent } from '../language/plan';
import { convertSchema, type ImportNote } from './convert-schema';
import { type ForeignRule, type ForeignType, readForeignRules, unwrap } from './foreign-rules';

const MAX_NOTES = 500;
const MAX_NAME_CHARACTERS = 200;
const MAX_DESCRIPTION_CHARACTERS = 2_000;

/** A plan that can be created as it is. */
interface ImportedPlan extends PlanContent {
  readonly name: string;
  readonly description: string;
}

/** The plan and what could not be kept, or all that is wrong; each `path` is one in the document. */
type Import =
  | { readonly ok: true; readonly plan: ImportedPlan; readonly notes: readonly ImportNote[] }
  | { readonly ok: false; readonly errors: readonly ProblemDetail[] };

/**
 * Makes a plan of a tracking plan of Segment or RudderStack. Nothing is refused by it yet: what differs is observed.
 * What becomes of violations is no part of their plans, but of the settings of a source.
 */
export async function importPlan(document: JsonObject): Promise<Import> {
  const problems = new InputProblems();
  const notes: ImportNote[] = [];
  const note = (one: ImportNote): void => {
    if (notes.length < MAX_NOTES) notes.push(one);
  };
  const foreign = newestOfEach(readForeignRules(document, problems), problems, note);
  const common = foreign.find(({ type, schema }) => type === 'common' && saysAnything(schema));
  if (common !== undefined) demandRoomFor(common, foreign.length, problems);
  if (problems.errors.length > 0) return { ok: false, errors: problems.errors };
  const hasOthers = foreign.some(isOfType);
  if (common !== undefined) note({ path: common.path, message: hasOthers ? OF_ALL_EVENTS : OF_NO_EVENT });
  const drafts = foreign.flatMap((rule) => (isOfType(rule) ? [draftRule(rule, common, note)] : []));
  const rules = drafts.map(({ rule }) => rule);
  const parsed = await parsePlan({ rules, unplannedEvents: 'observe', unplannedProperties: 'observe' });
  if (!parsed.ok) return { ok: false, errors: parsed.errors.map((error) => inDocument(error, drafts)) };
  return { ok: true, plan: { ...describePlan(document), ...parsed.content }, notes };
}

const OF_ALL_EVENTS = 'It became a part of each rule. Events without a rule are not checked by it.';
const OF_NO_EVENT = 'It is left out: it would become a part of each rule, and there is none.';

/** Before it is written down so many times. */
function demandRoomFor({ schema, path }: ForeignRule, times: number, problems: InputProblems): void {
  if (Buffer.byteLength(JSON.stringify(schema)) * times <= MAX_PLAN_BYTES) return;
  const message = `It is a part of each rule, and a plan has at most ${MAX_PLAN_BYTES} bytes of JSON.`;
  problems.fail(path, 'plan_too_large', message);
}

/** Of the versions of an event the last one: sources pin none here. */
function newestOfEach(
  rules: readonly ForeignRule[],
  problems: InputProblems,
  note: (note: ImportNote) => void,
): ForeignRule[] {
  const newest = new Map<string, ForeignRule>();
  for (const rule of rules) {
    const label = rule.type === 'common' ? rule.type : `${rule.type} ${rule.event ?? ''}`;
    const other = newest.get(label);
    const order = other === undefined ? 1 : compareVersions(rule.version, other.version);
    if (other !== undefined && order === 0) {
      problems.fail(
        rule.namePath,
        'duplicate_rule',
        `${other.namePath} is the same event, in the same version.`,
      );
    } else if (other !== undefined) {
      const [older, newer] = order > 0 ? [other, rule] : [rule, other];
      note({ path: older.path, message: `It is left out: there is version ${newer.version} of this event.` });
    }
    if (order > 0) newest.set(label, rule);
  }
  return [...newest.values()];
}

function compareVersions(left: string, right: string): number {
  return left.localeCompare(right, 'en', { numeric: true });
}

type RuleOfType = ForeignRule & { readonly type: Exclude<ForeignType, 'common'> };

function isOfType(rule: ForeignRule): rule is RuleOfType {
  return rule.type !== 'common';
}

/** A rule of ours, not checked yet, and which of its parts came from where. */
interface DraftRule {
  readonly rule: JsonObject;
  readonly origins: readonly { readonly part: string; readonly path: string }[];
}

function draftRule(
  { type, event, schema: given, path, namePath }: RuleOfType,
  common: ForeignRule | undefined,
  note: (note: ImportNote) => void,
): DraftRule {
  const isNamed = event !== undefined && type !== 'identify' && type !== 'group';
  const member = isOfMember(given)
    ? type === 'identify' || type === 'group'
      ? 'traits'
      : 'properties'
    : undefined;
  const target = member === undefined ? '' : `/properties/${member}`;
  const converted = convertSchema(given, { path, target }, note);
  const schema = member === undefined ? converted : ofMember(member, converted);
  const parts = Array.isArray(schema.allOf) ? schema.allOf : [];
  const origins = [
    { part: 'event', path: namePath },
    { part: `schema${target.replaceAll('/', '.')}`, path },
  ];
  if (common !== undefined) {
    const location = { path: common.path, target: `/allOf/${parts.length}` };
    // Its notes are told once for all rules.
    schema.allOf = [...parts, convertSchema(common.schema, location, () => undefined)];
    origins.push({ part: `schema.allOf[${parts.length}]`, path: common.path });
  }
  return { rule: { type, ...(isNamed ? { event } : {}), schema }, origins };
}

/** Segment's Typewriter 8 writes a schema of the properties alone into its `plan.json`, and marks it so. */
function isOfMember(schema: JsonObject): boolean {
  return 'eventMetadata' in schema;
}

function ofMember(member: string, schema: JsonObject): JsonObject {
  const isNeeded = Array.isArray(schema.required) && schema.required.length > 0;
  return { ...(isNeeded ? { required: [member] } : {}), properties: { [member]: schema } };
}

/** Many have a schema for all events that says that parts of events are objects, which they are, and no more. */
function saysAnything(schema: JsonValue): boolean {
  return saysMore(schema, (members) =>
    Object.entries(members).some(([name, one]) => !OBJECTS.has(name) || saysMore(one, namesAny)),
  );
}

/** More than that it is an object, and what `ofMembers` looks for in its `properties`. */
function saysMore(schema: JsonValue, ofMembers: (members: JsonObject) => boolean): boolean {
  if (!isJsonObject(schema)) return schema !== true;
  return Object.entries(schema).some(([keyword, value]) => {
    if (keyword === 'type') return value !== 'object';
    if (keyword === 'properties' && isJsonObject(value)) return ofMembers(value);
    return !SAYING_NOTHING.has(keyword);
  });
}

/** A member that is named is planned, whatever it is. */
function namesAny(members: JsonObject): boolean {
  return Object.keys(members).length > 0;
}

const OBJECTS: ReadonlySet<string> = new Set(['context', 'properties', 'traits']);

const SAYING_NOTHING: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  'id',
  'labels',
  'title',
  'description',
]);

/** An error of a rule that was made, told of the document that it was made from. */
function inDocument({ path, ...error }: ProblemDetail, drafts: readonly DraftRule[]): ProblemDetail {
  const [, index = '', rest = ''] = /^rules\[(\d+)\]\.?(.*)$/s.exec(path) ?? [];
  const origins = drafts[Number(index)]?.origins ?? [];
  const origin = origins.findLast(
    ({ part }) => rest === part || (/^[.[]/.test(rest.slice(part.length)) && rest.startsWith(part)),
  );
  if (index === '' || origin === undefined) return { path, ...error };
  return { path: `${origin.path}${rest.slice(origin.part.length)}`, ...error };
}

function describePlan(document: JsonObject): { name: string; description: string } {
  const { display_name: shown, name = '', description = '' } = unwrap(document).content;
  const chosen = textOf(shown) || textOf(name) || 'Imported plan';
  return {
    name: fitText(chosen.slice(0, MAX_NAME_CHARACTERS)),
    description: fitText(textOf(description).slice(0, MAX_DESCRIPTION_CHARACTERS)),
  };
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? fitText(value) : '';
}
