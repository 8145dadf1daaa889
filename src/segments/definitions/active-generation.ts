import { compilePredicate, type PredicateTest } from '../rules/memory/compile-predicate';
import { compileNextChange, type NextChange } from '../rules/memory/next-change';
import { groupMeasures, type MeasureRead, measureReads } from '../rules/sql/measure-groups';
import { namedMeasures } from '../rules/named-measures';
import { parseBoundedRules, type WrittenRules } from '../rules/parsing/parse-bounded-rules';
import { type FactNeeds, factNeedsOf, type Predicate, referencesOf } from '../rules/predicate';
import type { Match } from '../../language/operators';

/**
 * `computing`: not complete; every verdict is written, because the computation may still write an older one.
 * `live`: readable; rows for members only.
 */
type GenerationPhase = 'computing' | 'live';

/** A definition that events are evaluated against. A segment has two while a newer one is computed. */
export interface ActiveGeneration extends FactNeeds {
  readonly generation: number;
  readonly segmentId: string;
  readonly segmentName: string;
  readonly phase: GenerationPhase;
  /**
   * While a switch is settled: the generation whose members are those that destinations were told of. Undefined where
   * the members themselves are.
   */
  readonly toldGeneration: number | undefined;
  /** While it is computed: the generation that is read meanwhile, if there is one. */
  readonly oldGeneration: number | undefined;
  readonly predicate: Predicate;
  readonly test: PredicateTest;
  /** Where time alone may change the verdict. */
  readonly nextChange: NextChange | undefined;
  /** Readable generations of other segments that the rules ask about. */
  readonly requires: readonly LiveGeneration[];
  /** How the measures are read, together with others. */
  readonly reads: readonly MeasureRead[];
}

/** The members of a segment that can be read. */
export interface LiveGeneration {
  readonly segmentId: string;
  readonly generation: number;
}

/** What is stored of a segment, as far as evaluating it goes. */
export interface SegmentDefinition {
  readonly id: string;
  readonly name: string;
  readonly match: Match;
  readonly rules: unknown;
  readonly generation: number;
  readonly liveGeneration: number | null;
  readonly liveMatch: Match | null;
  readonly liveRules: unknown;
  readonly computing: boolean;
  readonly toldGeneration: number | null;
  /** Those that the rules may ask about. */
  readonly traits: Parameters<typeof namedMeasures>[0] | null;
}

/**
 * The generations of all segments that events have to be evaluated against, compiled, each behind those of the segments
 * that it asks about.
 * @param retentionDays for which events are kept
 */
export function activeGenerations(
  segments: readonly SegmentDefinition[],
  retentionDays: number,
): ActiveGeneration[] {
  const live = new Map(segments.map(({ id, liveGeneration }) => [id, liveGeneration]));
  const compiled = segments.flatMap((segment) => activate(segment, { live, retentionDays }));
  const groups = groupMeasures(
    compiled.flatMap(({ measures }) => measures),
    { isLasting: true },
  );
  const active = compiled.map((generation): ActiveGeneration => ({
    ...generation,
    reads: measureReads(generation.measures, groups),
  }));
  return inOrderOfReferences(active);
}

type CompiledGeneration = Omit<ActiveGeneration, 'reads'>;

function activate(segment: SegmentDefinition, surroundings: Surroundings): CompiledGeneration[] {
  const { match, rules, generation, liveGeneration } = segment;
  const active: (CompiledGeneration | undefined)[] = [];
  if (liveGeneration !== null) {
    const definition =
      liveGeneration === generation
        ? { match, rules }
        : { match: segment.liveMatch, rules: segment.liveRules };
    active.push(compile(segment, liveGeneration, { ...definition, phase: 'live', ...surroundings }));
  }
  if (segment.computing && liveGeneration !== generation) {
    active.push(compile(segment, generation, { match, rules, phase: 'computing', ...surroundings }));
  }
  return active.filter((found) => found !== undefined);
}

interface Surroundings {
  /** By segment. */
  readonly live: ReadonlyMap<string, number | null>;
  readonly retentionDays: number;
}

interface Definition extends Surroundings, WrittenRules {
  readonly phase: GenerationPhase;
}

function compile(
  { id, name, toldGeneration, traits }: SegmentDefinition,
  generation: number,
  { phase, live, retentionDays, ...written }: Definition,
): CompiledGeneration | undefined {
  const parsed = parseBoundedRules(written, namedMeasures(traits ?? []), retentionDays);
  // Only valid rules are stored. Rules that a newer version refuses must not stop the processing of events.
  if (!parsed.ok) return undefined;
  const { predicate } = parsed;
  return {
    generation,
    segmentId: id,
    segmentName: name,
    phase,
    toldGeneration: phase === 'live' ? (toldGeneration ?? undefined) : undefined,
    oldGeneration: phase === 'computing' ? (live.get(id) ?? undefined) : undefined,
    predicate,
    test: compilePredicate(predicate),
    nextChange: compileNextChange(predicate),
    requires: referencesOf(predicate).flatMap(({ segmentId }) => {
      const required = live.get(segmentId);
      // A segment that is computed for the first time, or is gone, has no members.
      return required === undefined || required === null ? [] : { segmentId, generation: required };
    }),
    ...factNeedsOf(predicate),
  };
}

/** Definitions that ask about each other are refused, so there is an order. */
function inOrderOfReferences(active: readonly ActiveGeneration[]): ActiveGeneration[] {
  const byGeneration = new Map(active.map((each) => [each.generation, each]));
  const ordered = new Set<ActiveGeneration>();
  const visited = new Set<ActiveGeneration>();
  const visit = (each: ActiveGeneration): void => {
    if (visited.has(each)) return;
    visited.add(each);
    for (const { generation } of each.requires) {
      const required = byGeneration.get(generation);
      if (required !== undefined) visit(required);
    }
    ordered.add(each);
  };
  active.forEach(visit);
  return [...ordered];
}
