/** Bounds of one profile: nothing that a sender does makes it grow beyond them. */
export interface ProfileLimits {
  /** Bytes of all traits as JSON text, see `json-bytes.ts`. */
  readonly maxTraitBytes: number;
  /** Trait keys, unset ones included. */
  readonly maxTraitKeys: number;
  /** Event names that are counted one by one; further ones count in `event_count` only. */
  readonly maxEventNames: number;
  readonly maxGroups: number;
  /** UserIds and anonymousIds that belong to one profile. */
  readonly maxIds: number;
}
