/** A group whose traits the events of a transaction wrote. */
export interface TouchedGroup {
  readonly groupId: string;
  /** Whether they have made it. Then no other person can have been in it. */
  readonly created: boolean;
  /** Top-level trait keys whose value changed. */
  readonly changedTraits: readonly string[];
}
