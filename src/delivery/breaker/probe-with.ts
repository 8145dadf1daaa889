/** What a probe finds out of a destination that is down; `idle`: nothing waits for it that could find out. */
export type ProbeFinding = 'delivered' | 'checked' | 'idle' | 'down';

/** What waits for a destination, one by one. */
interface WaitingWork<Claimed> {
  /** Undefined when there is nothing, or all of it is in other hands. */
  claim(): Promise<Claimed | undefined>;
  hasPending(): Promise<boolean>;
  /** `unsent`: the receiver got nothing of it. */
  attempt(claimed: Claimed): Promise<'delivered' | 'unsent' | 'idle' | 'down'>;
}

/**
 * Tries one of what waits for a destination although the breaker is open. The breaker may close when it arrived, or when
 * nothing waits.
 */
export async function probeWith<Claimed>(work: WaitingWork<Claimed>): Promise<ProbeFinding> {
  const claimed = await work.claim();
  if (claimed === undefined) return (await work.hasPending()) ? 'down' : 'idle';
  const found = await work.attempt(claimed);
  // The next one has to say how the receiver is.
  return found === 'unsent' ? probeWith(work) : found;
}
