/** A group whose traits a batch of events wrote. */
export interface TouchedGroup {
  readonly groupId: string;
  /** By this batch: so nobody else can have been in it. */
  readonly created: boolean;
  /** Top-level trait keys whose value changed. */
  readonly changedTraits: readonly string[];
}
