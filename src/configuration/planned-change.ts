import type { CreateComputedTraitDto } from '../segments/computed-traits/api/dto/create-computed-trait.dto';
import type { NamedMeasures } from '../segments/rules/named-measures';
import type { CreateSegmentDto } from '../segments/api/dto/create-segment.dto';
import type { CreateTrackingPlanDto } from '../tracking-plans/api/dto/create-tracking-plan.dto';
import type { CreateTransformationDto } from '../transformations/api/dto/create-transformation.dto';
import type { ConfigDestinationDto, ConfigSourceDto } from './dto/config-document.dto';
import type { FieldChangeDto, ResourceKind } from './dto/config-result.dto';

/** What the document says of a resource, every member filled in. */
export type Desired =
  | { readonly kind: 'trackingPlan'; readonly trackingPlan: Required<CreateTrackingPlanDto> }
  | { readonly kind: 'transformation'; readonly transformation: Required<CreateTransformationDto> }
  | { readonly kind: 'source'; readonly source: Required<ConfigSourceDto> }
  | { readonly kind: 'computedTrait'; readonly computedTrait: CreateComputedTraitDto }
  | { readonly kind: 'segment'; readonly segment: Required<CreateSegmentDto> }
  | { readonly kind: 'destination'; readonly destination: Required<ConfigDestinationDto> };

/** A resource as it is now. */
export interface PresentVersion {
  readonly id: string;
  readonly version: number;
}

/** One step of applying a document. */
export type PlannedChange =
  | { readonly action: 'create'; readonly name: string; readonly desired: Desired }
  | {
      readonly action: 'update';
      readonly name: string;
      readonly desired: Desired;
      readonly present: PresentVersion;
      readonly fields: readonly FieldChangeDto[];
    }
  | {
      readonly action: 'delete';
      readonly name: string;
      readonly kind: ResourceKind;
      readonly present: PresentVersion;
    };

/**
 * What makes a resource what the document says; undefined when it is that already.
 * @param present the one of its name, if there is one
 * @param fieldsOf what is different of that one
 */
export function changeTo<Present extends PresentVersion>(
  { name, desired }: { readonly name: string; readonly desired: Desired },
  present: Present | undefined,
  fieldsOf: (present: Present) => readonly FieldChangeDto[],
): PlannedChange | undefined {
  if (present === undefined) return { action: 'create', name, desired };
  const fields = fieldsOf(present);
  if (fields.length === 0) return undefined;
  const { id, version } = present;
  return { action: 'update', name, desired, present: { id, version }, fields };
}

export interface Plan {
  /** Of the configuration that it was made for; see `versionOf`. */
  readonly version: string;
  readonly changes: readonly PlannedChange[];
  /** Ids by names, as far as they are there, of what others refer to. */
  readonly ids: Readonly<Record<ReferredKind, ReadonlyMap<string, string>>>;
  /** The computed traits that there are afterwards. */
  readonly traits: NamedMeasures;
}

export type ReferredKind = Exclude<ResourceKind, 'computedTrait' | 'destination'>;

export type ListName = `${ResourceKind}s`;

/** What the list of a kind is called, in a document and of what is configured. */
export function listOf<K extends ResourceKind>(kind: K): `${K}s` {
  return `${kind}s`;
}

export function kindOf(change: PlannedChange): ResourceKind {
  return change.action === 'delete' ? change.kind : change.desired.kind;
}
