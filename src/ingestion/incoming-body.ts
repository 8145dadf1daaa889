import type { Readable } from 'node:stream';
import {
  BodyTooLargeError,
  BodyTooSlowError,
  IncompleteBodyError,
  InboxFullError,
} from './ingestion-problems';
import type { ReceptionBudget, Sender } from './reception-budget';

/** How often a body that takes long is looked at. */
export const LOOK_INTERVAL_MS = 5_000;
/** What must arrive between two looks: 1 KB a second, a part of what a phone has at the edge of its network. */
const MIN_BYTES_BETWEEN_LOOKS = 5 * 1024;

/** A body on its way in, counted in the budget from its first byte until it is released. */
export class IncomingBody {
  private readonly chunks: Buffer[] = [];
  private bytes = 0;
  private bytesAtLook: number | undefined;
  private fail: ((error: Error) => void) | undefined;

  constructor(
    private readonly maxBytes: number,
    private readonly budget: ReceptionBudget,
    private readonly sender: Sender,
  ) {}

  /** All of it. @throws BodyTooLargeError, BodyTooSlowError, IncompleteBodyError, InboxFullError */
  collect(stream: Readable): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const onData = (chunk: Buffer): void => this.add(chunk);
      this.fail = (error) => {
        this.fail = undefined;
        stream.off('data', onData);
        this.chunks.length = 0;
        // At once, so that the next chunk of another body finds the room.
        this.release();
        reject(error);
      };
      stream.on('data', onData);
      stream.once('end', () => {
        this.fail = undefined;
        const [only] = this.chunks;
        resolve(this.chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.chunks));
      });
      // The client went away: nobody reads the answer, but the request must end. `close` follows every end.
      const breakOff = (): void => this.fail?.(new IncompleteBodyError());
      stream.once('error', breakOff);
      stream.once('close', breakOff);
    });
  }

  /** Ends the body when next to nothing has come since the last look. */
  look(): void {
    const { bytesAtLook } = this;
    this.bytesAtLook = this.bytes;
    if (bytesAtLook !== undefined && this.bytes - bytesAtLook < MIN_BYTES_BETWEEN_LOOKS) {
      this.fail?.(new BodyTooSlowError());
    }
  }

  release(): void {
    this.budget.count(this.sender, this.bytes, 0);
    this.bytes = 0;
  }

  private add(chunk: Buffer): void {
    const before = this.bytes;
    this.bytes += chunk.length;
    this.chunks.push(chunk);
    const fits = this.budget.count(this.sender, before, this.bytes);
    if (this.bytes > this.maxBytes) this.fail?.(new BodyTooLargeError(this.maxBytes));
    else if (!fits) this.fail?.(new InboxFullError());
  }
}
