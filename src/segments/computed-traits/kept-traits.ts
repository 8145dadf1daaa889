import type { JsonValue } from '../../events/customer-event';
import type { TouchedProfile } from '../../profiles/touched-profile';
import { boundRange } from '../rules/parsing/bound-ranges';
import { valueOfNothing } from '../rules/measure';
import { MayCountIndex } from '../rules/memory/may-count-index';
import { groupMeasures, type MeasureRead, measureReads } from '../rules/sql/measure-groups';
import { type MeasureDefinition, parseDefinition } from '../rules/named-measures';
import { compileNamedValue } from '../rules/named-value';
import type { MeasureField } from '../rules/predicate';

/**
 * `computing`: people are gone through one by one. From then on events and windows keep the values up to date,
 * `computed` or not. `live`: changes are told. `discarding`: nobody needs the values any more, they are removed.
 */
type KeptTraitState = 'computing' | 'computed' | 'live' | 'discarding';

/** What is stored of a computed trait whose values are kept, as far as keeping them goes. */
export interface KeptTraitRow {
  readonly generation: number;
  readonly name: string;
  readonly definition: MeasureDefinition;
  readonly state: KeptTraitState;
}

/** A computed trait whose values are kept, compiled. */
export interface KeptTrait {
  readonly generation: number;
  readonly name: string;
  /** What the value is of, and how it is read, together with others. */
  readonly measures: readonly [MeasureField];
  readonly reads: readonly MeasureRead[];
  readonly valueOf: ReturnType<typeof compileNamedValue>;
  /** Of no events at all; null is none. */
  readonly nothing: JsonValue;
  /** Whether changes are told: those of the first computation are not. */
  readonly isTold: boolean;
}

/** The computed traits whose values are kept, found by what events may change. */
export class KeptTraits {
  readonly all: readonly KeptTrait[];
  private readonly byEvent = new MayCountIndex<KeptTrait>();

  /** @param retentionDays for which events are kept */
  constructor(rows: readonly KeptTraitRow[], retentionDays: number) {
    const compiled = rows.flatMap((row) => compile(row, retentionDays));
    const groups = groupMeasures(
      compiled.flatMap(({ measures }) => measures),
      { isLasting: true },
    );
    this.all = compiled.map((trait) => {
      const kept: KeptTrait = { ...trait, reads: measureReads(trait.measures, groups) };
      const [{ measure }] = trait.measures;
      this.byEvent.add(measure, kept);
      return kept;
    });
  }

  /** Those that may have another value after a change of a profile. */
  of(touched: TouchedProfile): readonly KeptTrait[] {
    if (this.all.length === 0) return this.all;
    if (touched.mergedSubjects.length > 0) return this.all;
    return this.byEvent.find(touched);
  }
}

/** Nothing for a definition that this version does not understand: it must not stop the processing of events. */
function compile(
  { generation, name, definition, state }: KeptTraitRow,
  retentionDays: number,
): Omit<KeptTrait, 'reads'>[] {
  const parsed = parseDefinition(definition);
  if (!parsed.ok) return [];
  const field = boundRange(parsed.field, retentionDays);
  return [
    {
      generation,
      name,
      measures: [field],
      valueOf: compileNamedValue(field),
      nothing: valueOfNothing(field.measure.aggregate) ?? null,
      isTold: state === 'live',
    },
  ];
}
