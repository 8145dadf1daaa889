import { networkOf } from '../../platform/http/server/network-of';

/** Bytes of all bodies that are on their way in at one moment, with limits of usual size. */
const USUAL_BYTES = 8 * 1024 * 1024;
/** What is not larger is small: nearly all that pages and phones send. */
export const SMALL_BODY_BYTES = 64 * 1024;

/** Whose a body is, as far as that is known before it is read. */
export interface BodySender {
  readonly address: string;
  /** Whether the headers have a valid write key. Otherwise the sender is a stranger, until the body is read. */
  readonly known: boolean;
}

/** Parts of the budget. A body counts in each that it belongs to. */
type Share = 'all' | 'strangers' | 'large bodies of strangers';

/**
 * The memory for bodies that are on their way in. What has arrived counts, not what was announced: a connection that
 * sends nothing holds nothing. Strangers cannot take what others need: they have three quarters together, their large
 * bodies a half, and one address of theirs a quarter. A body that finds no room is sent again later.
 */
export class ReceptionBudget {
  private readonly limits: Readonly<Record<Share, number>>;
  private readonly held: Record<Share, number> = { all: 0, strangers: 0, 'large bodies of strangers': 0 };
  private readonly addressLimit: number;
  private readonly heldByNetwork = new Map<string, number>();

  /** @param maxBodyBytes of one body, which fits when it is alone, with a quarter more for what its pieces cost */
  constructor(maxBodyBytes: number) {
    const largest = 1.25 * maxBodyBytes;
    const all = Math.max(USUAL_BYTES, 2 * largest);
    this.limits = { all, strangers: 0.75 * all, 'large bodies of strangers': 0.5 * all };
    this.addressLimit = Math.max(0.25 * all, largest);
  }

  /** Whether a small body might find no room. @param isStranger whether it is one's for sure */
  isFull(isStranger: () => boolean): boolean {
    return this.isShareFull('all') || (this.isShareFull('strangers') && isStranger());
  }

  /** Counts a body that has grown, or is gone (`after` is 0). @returns whether there was room for it */
  count(sender: BodySender, before: number, after: number): boolean {
    const fits = this.countShare('all', before, after);
    if (sender.known) return fits;
    const fitsForStranger = [
      this.countShare('strangers', before, after),
      this.countShare('large bodies of strangers', largeBytes(before), largeBytes(after)),
      this.countNetwork(networkOf(sender.address), after - before) <= this.addressLimit,
    ];
    return fits && fitsForStranger.every(Boolean);
  }

  private isShareFull(share: Share): boolean {
    return this.held[share] + SMALL_BODY_BYTES > this.limits[share];
  }

  private countShare(share: Share, before: number, after: number): boolean {
    this.held[share] += after - before;
    return after === 0 || this.held[share] <= this.limits[share];
  }

  private countNetwork(network: string, bytes: number): number {
    const held = (this.heldByNetwork.get(network) ?? 0) + bytes;
    if (held === 0) this.heldByNetwork.delete(network);
    else this.heldByNetwork.set(network, held);
    return held;
  }
}

function largeBytes(bytes: number): number {
  return bytes > SMALL_BODY_BYTES ? bytes : 0;
}
