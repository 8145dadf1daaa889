/** A group whose traits a batch of events wrote. */
export interface TouchedGroup {
  readonly groupId: string;
  /** Whether this batch has made it. Then no other person can have been in it. */
  readonly created: boolean;
  /** Top-level trait keys whose value changed. */
  readonly changedTraits: readonly string[];
}
