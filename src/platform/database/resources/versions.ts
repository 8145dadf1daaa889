/** Of each resource whose versions are kept: the oldest go. */
export const MAX_VERSIONS = 1_000;

/** That there was a version. */
export interface VersionEntry {
  readonly version: number;
  readonly createdAt: Date;
}
