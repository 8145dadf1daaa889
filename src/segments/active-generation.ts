import { compilePredicate, type PredicateTest } from './rules/compile-predicate';
import { compileNextChange, type NextChange, windowNeedsOf, type WindowNeeds } from './rules/next-change';
import { parseRules } from './rules/parse-rules';
import type { Predicate } from './rules/predicate';
import type { Match } from './rules/rule';

/**
 * `computing`: not complete; every verdict is written, because the computation may still write an older one.
 * `live`: readable; rows for members only.
 */
export type GenerationPhase = 'computing' | 'live';

/** A definition that events are evaluated against. A segment has two while a newer one is computed. */
export interface ActiveGeneration {
  readonly generation: number;
  readonly segmentId: string;
  readonly segmentName: string;
  readonly phase: GenerationPhase;
  /**
   * While a switch is settled: the generation whose members are those that destinations were told of. Undefined where
   * the members themselves are.
   */
  readonly toldGeneration: number | undefined;
  readonly predicate: Predicate;
  readonly test: PredicateTest;
  /** Where time alone may change the verdict. */
  readonly nextChange: NextChange | undefined;
  /** Where counts per day are needed. */
  readonly window: WindowNeeds | undefined;
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
}

/** The generations of a segment that events have to be evaluated against, compiled. */
export function activeGenerations(segment: SegmentDefinition): ActiveGeneration[] {
  const { match, rules, generation, liveGeneration } = segment;
  const active: (ActiveGeneration | undefined)[] = [];
  if (liveGeneration !== null) {
    const definition =
      liveGeneration === generation
        ? { match, rules }
        : { match: segment.liveMatch, rules: segment.liveRules };
    active.push(activate(segment, liveGeneration, { ...definition, phase: 'live' }));
  }
  if (segment.computing && liveGeneration !== generation) {
    active.push(activate(segment, generation, { match, rules, phase: 'computing' }));
  }
  return active.filter((found) => found !== undefined);
}

interface Definition {
  readonly match: Match | null;
  readonly rules: unknown;
  readonly phase: GenerationPhase;
}

function activate(
  { id, name, toldGeneration }: SegmentDefinition,
  generation: number,
  { match, rules, phase }: Definition,
): ActiveGeneration | undefined {
  const parsed = parseRules(rules, match ?? 'all');
  // Only valid rules are stored. Rules that a newer version refuses must not stop the processing of events.
  if (!parsed.ok) return undefined;
  const { predicate } = parsed;
  return {
    generation,
    segmentId: id,
    segmentName: name,
    phase,
    toldGeneration: phase === 'live' ? (toldGeneration ?? undefined) : undefined,
    predicate,
    test: compilePredicate(predicate),
    nextChange: compileNextChange(predicate),
    window: windowNeedsOf(predicate),
  };
}
