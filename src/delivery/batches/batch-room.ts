/** Uploads of a process at a time. Each holds some 20 MB. */
const UPLOADS = 6;
/**
 * Of one destination, which gets no more at a time of all processes together: should it hang, others still have room.
 */
const UPLOADS_OF_ONE = 4;
/** For a destination that has none: should two hang, the next one still has room. */
const KEPT_FOR_FIRST = 1;
/** Of the events in requests of a process at a time: each request is in memory as a whole. */
const REQUEST_BYTES = 32 * 1024 * 1024;

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
  /** The destination of each. */
  private readonly uploads: string[] = [];
  private requests = 0;
  private requestBytes = 0;

  /** Whether there would be room for something small. */
  hasRoom({ isRequest, destinationId }: Omit<RoomTaker, 'bytes'>): boolean {
    if (isRequest) return this.requestBytes < REQUEST_BYTES;
    const own = this.uploads.filter((id) => id === destinationId).length;
    const free = UPLOADS - this.uploads.length;
    return own < UPLOADS_OF_ONE && free > (own === 0 ? 0 : KEPT_FOR_FIRST);
  }

  /** Whether it has its room from now on. One request always has, however large it is. */
  enter(taker: RoomTaker): boolean {
    const { isRequest, bytes } = taker;
    const isTooMuch = isRequest && this.requests > 0 && this.requestBytes + bytes > REQUEST_BYTES;
    if (isTooMuch || !this.hasRoom(taker)) return false;
    if (isRequest) this.countRequest(bytes, 1);
    else this.uploads.push(taker.destinationId);
    return true;
  }

  leave({ isRequest, destinationId, bytes }: RoomTaker): void {
    if (isRequest) this.countRequest(bytes, -1);
    else this.uploads.splice(this.uploads.indexOf(destinationId), 1);
  }

  private countRequest(bytes: number, sign: 1 | -1): void {
    this.requests += sign;
    this.requestBytes += sign * bytes;
  }
}
