import { type Aggregate, AGGREGATES } from '../../../shared/segments/aggregates';
import { FIELD_WORDS } from '../../../shared/segments/language-words';
import type { Compared } from '../../../shared/segments/values/value-language';

/** What a rule can look at. */
export type FieldKind = keyof typeof FIELD_WORDS;
export const FIELD_KINDS = Object.keys(FIELD_WORDS) as FieldKind[];

/** What the field is called that says which trait. */
export const TRAIT_LABELS: Readonly<Partial<Record<FieldKind, string>>> = {
  trait: 'Name or path',
  group_trait: 'Name or path',
  computed: 'Which one',
};

/** What the computed traits are made of, by their names. */
export type TraitAggregates = ReadonlyMap<string, Aggregate>;

export const NO_TRAITS: TraitAggregates = new Map();

interface Looked {
  readonly kind: FieldKind;
  readonly name: string;
  readonly measure: { readonly aggregate: Aggregate };
}

/** What is compared. Of a computed trait that is not known it may be anything. */
export function comparedOf({ kind, name, measure }: Looked, traits: TraitAggregates): Compared {
  switch (kind) {
    case 'trait':
    case 'group_trait':
      return 'anything';
    case 'event_count':
      return 'number';
    case 'measure':
      return AGGREGATES[measure.aggregate].compared;
    case 'computed':
      return comparedOfTrait(traits.get(name));
    case 'first_seen':
    case 'last_seen':
      return 'time';
    case 'groups':
      return 'group';
    case 'segments':
      return 'segment';
  }
}

function comparedOfTrait(aggregate: Aggregate | undefined): Compared {
  return aggregate === undefined ? 'anything' : AGGREGATES[aggregate].compared;
}
