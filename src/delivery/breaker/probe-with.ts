/** What a probe finds out of a destination that is down; `idle`: nothing waits for it that could find out. */
export type ProbeFinding = 'delivered' | 'checked' | 'idle' | 'down';

/** What one try of a probe came to; `unsent`: the receiver got nothing of it, `refused`: it does not take this event. */
export type ProbeTry = Exclude<ProbeFinding, 'checked'> | 'unsent' | 'refused';

/** What waits for a destination, one by one. */
interface WaitingWork<Claimed> {
  /** None of those that this probe has tried. Undefined when there is nothing else, or all of it is in other hands. */
  claim(tried: readonly Claimed[]): Promise<Claimed | undefined>;
  hasPending(): Promise<boolean>;
  attempt(claimed: Claimed): Promise<ProbeTry>;
}

/** Where hardly anything can be sent, the next probe goes on after this much: an outage must not end all that waits. */
const MAX_TRIES = 100;
/** A receiver that refuses whatever it gets, because of a password say, is asked no oftener. */
const MAX_REFUSED = 10;

/**
 * Tries what waits for a destination although the breaker is open, until something says how the receiver is. The breaker
 * may close when it arrived, or when nothing waits.
 */
export async function probeWith<Claimed>(work: WaitingWork<Claimed>): Promise<ProbeFinding> {
  const tried: Claimed[] = [];
  let refused = 0;
  while (tried.length < MAX_TRIES && refused < MAX_REFUSED) {
    const claimed = await work.claim(tried);
    if (claimed === undefined) return (await work.hasPending()) ? 'down' : 'idle';
    tried.push(claimed);
    const found = await work.attempt(claimed);
    if (found === 'refused') refused += 1;
    else if (found !== 'unsent') return found;
  }
  return 'down';
}
