/** Uploads of a process at a time. Each holds some 20 MB. */
const UPLOADS = 4;
/** Of the events in requests of a process at a time: each request is in memory as a whole. */
const REQUEST_BYTES = 32 * 1024 * 1024;

/** What of a batch takes room. */
export interface RoomTaker {
  /** Whether it is a request; else it is an upload. */
  readonly isRequest: boolean;
  /** Of the events' JSON. */
  readonly bytes: number;
}

/** Bounds the memory of the batches that a process sends. Uploads, which may take minutes, are in no request's way. */
export class BatchRoom {
  private uploads = 0;
  private requests = 0;
  private requestBytes = 0;

  /** Whether there would be room for something small. */
  hasRoom({ isRequest }: Pick<RoomTaker, 'isRequest'>): boolean {
    return isRequest ? this.requestBytes < REQUEST_BYTES : this.uploads < UPLOADS;
  }

  /** Whether it has its room from now on. One request always has, however large it is. */
  enter(taker: RoomTaker): boolean {
    const { isRequest, bytes } = taker;
    const isTooMuch = isRequest && this.requests > 0 && this.requestBytes + bytes > REQUEST_BYTES;
    if (isTooMuch || !this.hasRoom(taker)) return false;
    this.count(taker, 1);
    return true;
  }

  leave(taker: RoomTaker): void {
    this.count(taker, -1);
  }

  private count({ isRequest, bytes }: RoomTaker, sign: 1 | -1): void {
    if (!isRequest) {
      this.uploads += sign;
      return;
    }
    this.requests += sign;
    this.requestBytes += sign * bytes;
  }
}
