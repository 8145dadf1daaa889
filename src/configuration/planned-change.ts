import type { CreateSegmentDto } from '../segments/api/dto/create-segment.dto';
import type { CreateSourceDto } from '../sources/dto/create-source.dto';
import type { ConfigDestinationDto } from './dto/config-document.dto';
import type { FieldChangeDto, ResourceKind } from './dto/config-result.dto';

/** What the document says of a resource, every member filled in. */
export type Desired =
  | { readonly kind: 'source'; readonly source: Required<CreateSourceDto> }
  | { readonly kind: 'segment'; readonly segment: Required<CreateSegmentDto> }
  | { readonly kind: 'destination'; readonly destination: Required<ConfigDestinationDto> };

/** A resource as it is now. */
export interface Present {
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
      readonly present: Present;
      readonly fields: readonly FieldChangeDto[];
    }
  | {
      readonly action: 'delete';
      readonly name: string;
      readonly kind: ResourceKind;
      readonly present: Present;
    };

export interface Plan {
  /** Of the configuration that it was made for; see `versionOf`. */
  readonly version: string;
  readonly changes: readonly PlannedChange[];
  /** Ids of sources and segments by their names, as far as they are there. */
  readonly ids: Readonly<Record<'source' | 'segment', ReadonlyMap<string, string>>>;
}

export function kindOf(change: PlannedChange): ResourceKind {
  return change.action === 'delete' ? change.kind : change.desired.kind;
}
