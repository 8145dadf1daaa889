/** What a replay is about: a range of ids, from inclusive, to exclusive. */
export interface ReplayFilter {
  readonly fromId: string;
  readonly toId: string;
  /** Error class of dead letters; null is any. */
  readonly reason: string | null;
}
