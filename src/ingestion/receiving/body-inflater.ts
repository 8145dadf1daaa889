import { promisify } from 'node:util';
import { gunzip, inflate } from 'node:zlib';
import { ConcurrencyLimit } from '../../platform/background/concurrency-limit';
import {
  BodyTooLargeError,
  OverloadedError,
  InvalidEncodingError,
  UnsupportedMediaTypeError,
} from '../ingestion-problems';

type Inflate = (compressed: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

/** No `br`: a body of 39 bytes makes its decoder take 16 MB, and no SDK sends it. */
const INFLATERS: Readonly<Record<string, Inflate>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
};

/** The threads that Node has for it. More at once would only hold more memory, up to a whole body each. */
const MAX_AT_ONCE = 4;
/** Some tens of milliseconds' worth, each with its compressed body in the budget. */
const MAX_WAITING = 1_000;

/** Inflates bodies, a few at a time. */
export class BodyInflater {
  private readonly limit = new ConcurrencyLimit(MAX_AT_ONCE);

  constructor(private readonly maxBytes: number) {}

  /** @throws UnsupportedMediaTypeError unless bodies with this Content-Encoding can be inflated. */
  demandEncoding(encoding: string): void {
    if (encoding === 'identity' || encoding === '' || Object.hasOwn(INFLATERS, encoding)) return;
    throw new UnsupportedMediaTypeError('Content-Encoding must be gzip, deflate or identity.');
  }

  /**
   * @param encoding one that passed {@link demandEncoding}
   * @throws BodyTooLargeError, InvalidEncodingError, OverloadedError
   */
  async inflate(encoding: string, body: Buffer): Promise<Buffer> {
    const inflater = INFLATERS[encoding];
    if (inflater === undefined) return body;
    if (this.limit.waitingWorks >= MAX_WAITING) throw new OverloadedError();
    try {
      return await this.limit.run(() => inflater(body, { maxOutputLength: this.maxBytes }));
    } catch (error) {
      const tooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
      throw tooLarge ? new BodyTooLargeError(this.maxBytes) : new InvalidEncodingError();
    }
  }
}
