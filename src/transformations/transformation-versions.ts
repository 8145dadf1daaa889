import { Versions, type VersionEntry } from '../platform/database/resources/versions';

/** What an operator sets of a transformation. */
export interface TransformationDefinition {
  readonly name: string;
  readonly description: string;
  readonly code: string;
}

/** A transformation as it was, or is. */
export type TransformationVersion = VersionEntry & TransformationDefinition;

export const transformationVersions = new Versions<TransformationDefinition>({
  table: 'transformation_version',
  of: 'transformation_id',
  columns: ['name', 'description', 'code'],
});
