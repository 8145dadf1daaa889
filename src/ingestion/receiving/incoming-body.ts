import type { Readable } from 'node:stream';
import {
  BodyTooLargeError,
  BodyTooSlowError,
  IncompleteBodyError,
  OverloadedError,
} from '../ingestion-problems';
import type { ReceptionBudget, BodySender } from './reception-budget';

/** How often a body that takes long is looked at. */
export const LOOK_INTERVAL_MS = 5_000;
/** What must arrive between two looks: 1 KB a second, a part of what a phone has at the edge of its network. */
const MIN_BYTES_BETWEEN_LOOKS = 5 * 1024;
/** What Node keeps of a piece beside its bytes: a body in pieces of one byte takes 300 times its length. */
const BYTES_PER_PIECE = 256;
/** Each piece takes a microsecond and more, whatever its length. Networks cut into pieces of 500 bytes at the least. */
const MAX_SMALL_PIECES = 1_000;
const MIN_MEAN_PIECE_BYTES = 64;

/** A body on its way in, counted in the budget from its first byte until it is released. */
export class IncomingBody {
  private readonly chunks: Buffer[] = [];
  private bytes = 0;
  private pieces = 0;
  private countedBytes = 0;
  private bytesAtLook: number | undefined;
  private fail: ((error: Error) => void) | undefined;

  constructor(
    private readonly maxBytes: number,
    private readonly budget: ReceptionBudget,
    private readonly sender: BodySender,
  ) {}

  /** All of it. @throws BodyTooLargeError, BodyTooSlowError, IncompleteBodyError, OverloadedError */
  collect(stream: Readable): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const fail = (error: Error): void => {
        this.fail = undefined;
        this.chunks.length = 0;
        // At once, so that the next chunk of another body finds the room.
        this.release();
        reject(error);
      };
      this.fail = fail; // Not as it is made: see `lean-client.ts`.
      stream.on('data', (chunk: Buffer) => {
        this.add(chunk);
        // No answer: more pieces would come until it is sent.
        if (this.isInCrumbs()) stream.destroy();
      });
      stream.once('end', () => {
        this.fail = undefined;
        // The request lives until its events are stored. Its listeners must not keep the bytes for so long.
        const chunks = this.chunks.splice(0);
        const [only] = chunks;
        resolve(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks));
      });
      // The client went away: the answer is not read, but the request must end. `close` follows every end.
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
    this.count(0);
  }

  private isInCrumbs(): boolean {
    return this.pieces > MAX_SMALL_PIECES && this.bytes < this.pieces * MIN_MEAN_PIECE_BYTES;
  }

  private add(chunk: Buffer): void {
    this.pieces += 1;
    this.bytes += chunk.length;
    // Of a body that is refused already the rest is read and dropped.
    if (this.fail === undefined) return;
    this.chunks.push(chunk);
    const fits = this.count(this.countedBytes + chunk.length + BYTES_PER_PIECE);
    if (this.bytes > this.maxBytes) this.fail(new BodyTooLargeError(this.maxBytes));
    else if (!fits) this.fail(new OverloadedError());
  }

  private count(bytes: number): boolean {
    const before = this.countedBytes;
    this.countedBytes = bytes;
    return this.budget.count(this.sender, before, bytes);
  }
}
