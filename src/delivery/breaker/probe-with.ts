/** What a probe finds out of a destination that is down; `idle`: nothing waits for it that could find out. */
export type ProbeFinding = 'works' | 'checked' | 'idle' | 'down';

/** What waits for a destination, one by one. */
interface WaitingWork<Claimed> {
  /** Undefined when there is nothing, or all of it is in other hands. */
  claim(): Promise<Claimed | undefined>;
  hasPending(): Promise<boolean>;
  /** `unsent`: the receiver got nothing of it. */
  attempt(claimed: Claimed): Promise<'works' | 'unsent' | 'idle' | 'down'>;
}

/** Where hardly anything can be sent, the next probe goes on after this much: an outage must not end all that waits. */
const MAX_UNSENT = 100;

/**
 * Tries one of what waits for a destination although the breaker is open. The breaker may close when it arrived or was
 * refused for what it holds, or when nothing waits.
 */
export async function probeWith<Claimed>(work: WaitingWork<Claimed>): Promise<ProbeFinding> {
  for (let unsent = 0; unsent < MAX_UNSENT; unsent += 1) {
    const claimed = await work.claim();
    if (claimed === undefined) return (await work.hasPending()) ? 'down' : 'idle';
    const found = await work.attempt(claimed);
    if (found !== 'unsent') return found;
    // The next one has to say how the receiver is.
  }
  return 'down';
}
