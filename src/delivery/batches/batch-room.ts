const MIB = 1024 * 1024;
/** Of the events in requests of a process at a time: each request is in memory as a whole. */
const REQUEST_BYTES = 32 * MIB;
/** What the largest upload holds: it is read, written and sent in parts. A small one is parsed as a whole. */
const LARGEST_UPLOAD = 20 * MIB;
const LEAST_OF_UPLOAD = MIB;
const TIMES_ITS_EVENTS = 5;
/** Held by the uploads of a process at a time. */
const UPLOAD_BYTES = 6 * LARGEST_UPLOAD;
/**
 * Of one destination, which gets no more at a time of all processes together: should it hang, others still have room.
 */
const UPLOADS_OF_ONE = 4;
/** For a destination that has none: should two hang with large ones, the next one still has room. */
const KEPT_FOR_FIRST = LARGEST_UPLOAD;

/** What of a batch takes room. */
export interface RoomTaker {
  readonly destinationId: string;
  /** Whether it is a request; else it is an upload. */
  readonly isRequest: boolean;
  /** Of the events' JSON. */
  readonly bytes: number;
}

/** Bounds the memory of the batches that a process sends. Uploads, which may take minutes, are in no request's way. */
export class BatchRoom {
  private readonly taken = new Set<RoomTaker>();

  /** Whether there would be room for something small. */
  hasRoom({ isRequest, destinationId }: Omit<RoomTaker, 'bytes'>): boolean {
    return this.fits({ isRequest, destinationId, bytes: 1 });
  }

  /** Whether it has its room from now on. One request always has, however large it is. */
  enter(taker: RoomTaker): boolean {
    if (!this.fits(taker)) return false;
    this.taken.add(taker);
    return true;
  }

  /** @param taker the object that entered */
  leave(taker: RoomTaker): void {
    this.taken.delete(taker);
  }

  private fits(taker: RoomTaker): boolean {
    const others = [...this.taken].filter(({ isRequest }) => isRequest === taker.isRequest);
    const needed = [...others, taker].reduce((sum, each) => sum + heldBy(each), 0);
    if (taker.isRequest) return others.length === 0 || needed <= REQUEST_BYTES;
    const own = others.filter(({ destinationId }) => destinationId === taker.destinationId).length;
    return own < UPLOADS_OF_ONE && needed <= UPLOAD_BYTES - (own === 0 ? 0 : KEPT_FOR_FIRST);
  }
}

/** Bytes of memory, about. */
function heldBy({ isRequest, bytes }: RoomTaker): number {
  return isRequest ? bytes : Math.min(LEAST_OF_UPLOAD + TIMES_ITS_EVENTS * bytes, LARGEST_UPLOAD);
}
