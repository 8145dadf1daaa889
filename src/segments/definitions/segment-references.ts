import type { Tx } from '../../platform/database/database';
import { unknownId } from '../../platform/http/input/unknown-id';
import { InvalidRequestError, type ProblemDetail } from '../../platform/http/problems/problem';
import { readNamedMeasures } from '../computed-traits/read-named-measures';
import type { NamedMeasures } from '../rules/named-measures';
import { parseRules } from '../rules/parsing/parse-rules';
import { type Predicate, referencesOf } from '../rules/predicate';
import type { Match } from '../../language/operators';

/**
 * Which segments ask about which others. All of this is asked with the lock of all definitions (`changeRevision`) held,
 * so that no two changes can make a circle together.
 */

/** The definition that is computed and, where that is another, the one that is read count both. */
const readDefinitionsSql = `
  select id, name, match, rules, live_match as "liveMatch", live_rules as "liveRules" from segment
  where rules::text like '%"segments"%' or live_rules::text like '%"segments"%'`;
const readIdsSql = 'select id from segment where id = any($1::uuid[])';

interface DefinitionRow {
  readonly id: string;
  readonly name: string;
  readonly match: Match;
  readonly rules: unknown;
  readonly liveMatch: Match | null;
  readonly liveRules: unknown;
}

interface ReferringSegment {
  readonly id: string;
  readonly name: string;
  readonly refersTo: ReadonlySet<string>;
}

/** @throws InvalidRequestError when rules of a segment ask about one that is not there, or that asks about this one. */
export async function checkReferences(segmentId: string, predicate: Predicate, tx: Tx): Promise<void> {
  const references = referencesOf(predicate);
  if (references.length === 0) return;
  const ids = references.map((reference) => reference.segmentId);
  const existing = (await existingSegments(ids, tx)).add(segmentId);
  const askers = await dependentsOf(segmentId, tx);
  const circular = new Set([segmentId, ...askers.map(({ id }) => id)]);
  const errors = references.flatMap((reference) => {
    if (!existing.has(reference.segmentId)) return unknownSegment(reference);
    const message = 'Asks about this segment itself, directly or by others.';
    return circular.has(reference.segmentId)
      ? { path: `${reference.path}.value`, code: 'segment_cycle', message }
      : [];
  });
  if (errors.length > 0) throw new InvalidRequestError(errors);
}

/** @throws InvalidRequestError when rules, of no segment yet, ask about one that is not there */
export async function checkSegmentsExist(predicate: Predicate, tx: Tx): Promise<void> {
  const references = referencesOf(predicate);
  const existing = await existingSegments(
    references.map(({ segmentId }) => segmentId),
    tx,
  );
  const errors = references.filter(({ segmentId }) => !existing.has(segmentId)).map(unknownSegment);
  if (errors.length > 0) throw new InvalidRequestError(errors);
}

function unknownSegment({ path }: { readonly path: string }): ProblemDetail {
  return unknownId(`${path}.value`, 'segment');
}

/** Which of the segments there are. */
export async function existingSegments(ids: readonly string[], tx: Tx): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await tx.query<{ id: string }>(readIdsSql, [ids]);
  return new Set(rows.map(({ id }) => id));
}

/** The names of the segments that ask about one directly. */
export async function segmentsThatAsk(segmentId: string, tx: Tx): Promise<string[]> {
  const referring = await readReferring(tx);
  return referring.filter(({ refersTo }) => refersTo.has(segmentId)).map(({ name }) => name);
}

/** The segments that ask about one, directly or by others. */
async function dependentsOf(segmentId: string, tx: Tx): Promise<ReferringSegment[]> {
  const referring = await readReferring(tx);
  const found = new Set([segmentId]);
  // A set that grows while it is walked is walked to its new end.
  for (const id of found) {
    for (const segment of referring) if (segment.refersTo.has(id)) found.add(segment.id);
  }
  return referring.filter(({ id }) => id !== segmentId && found.has(id));
}

/** The ids of the segments that ask about one directly. */
export async function directDependentsOf(segmentId: string, tx: Tx): Promise<string[]> {
  const referring = await readReferring(tx);
  return referring.filter(({ refersTo }) => refersTo.has(segmentId)).map(({ id }) => id);
}

async function readReferring(tx: Tx): Promise<ReferringSegment[]> {
  const rows = await tx.query<DefinitionRow>(readDefinitionsSql);
  const traits = await readNamedMeasures(tx);
  return rows.map(({ id, name, match, rules, liveMatch, liveRules }) => ({
    id,
    name,
    refersTo: new Set([
      ...idsIn(rules, match, traits),
      ...(liveRules === null ? [] : idsIn(liveRules, liveMatch, traits)),
    ]),
  }));
}

function idsIn(rules: unknown, match: Match | null, traits: NamedMeasures): string[] {
  const parsed = parseRules(rules, match ?? 'all', traits);
  return parsed.ok ? referencesOf(parsed.predicate).map(({ segmentId }) => segmentId) : [];
}
