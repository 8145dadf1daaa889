/** Bounds of one profile: nothing that a sender does makes it grow beyond them. See docs/decisions/0043. */
export class ProfileLimits {
  /** Bytes of all traits as JSON text, see `json-bytes.ts`. */
  readonly maxTraitBytes: number = 65_536;
  /** Trait keys, unset ones included, which have as many bytes at most as traits have. */
  readonly maxTraitKeys: number = 1_000;
  /** Event names that are counted one by one; further ones count in `event_count` only. */
  readonly maxEventNames: number = 1_000;
  /** Bytes of these names as JSON text. */
  readonly maxEventNameBytes: number = 65_536;
  /** Further groups are not joined. */
  readonly maxGroups: number = 1_000;
  /** UserIds and anonymousIds that belong to one profile. */
  readonly maxIds: number = 1_000;
}
