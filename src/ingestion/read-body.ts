import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import {
  BodyTooLargeError,
  IncompleteBodyError,
  InboxFullError,
  InvalidEncodingError,
  UnsupportedMediaTypeError,
} from './ingestion-problems';

type Inflate = (compressed: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const INFLATERS: Readonly<Record<string, Inflate>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

/** Bytes of all bodies that are on their way in at one moment. With it, a thousand slow uploads fit into memory. */
const MAX_RECEIVING_BYTES = 24 * 1024 * 1024;

/** Reads request bodies: bounded one by one and all together, inflated where compressed. */
export class BodyReader {
  private receivingBytes = 0;

  /** @param isFull whether what is received now would have to be refused anyhow */
  constructor(
    private readonly maxBytes: number,
    private readonly isFull: () => boolean = () => false,
  ) {}

  /**
   * The whole body as text.
   * @throws BodyTooLargeError, InboxFullError, InvalidEncodingError, IncompleteBodyError or UnsupportedMediaTypeError.
   */
  async read(headers: IncomingHttpHeaders, stream: Readable): Promise<string> {
    const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
    const inflater = INFLATERS[encoding];
    if (inflater === undefined && encoding !== 'identity' && encoding !== '') {
      throw new UnsupportedMediaTypeError(`Content-Encoding must be gzip, deflate, br or identity.`);
    }
    if (Number(headers['content-length'] ?? 0) > this.maxBytes) throw new BodyTooLargeError(this.maxBytes);
    // Under overload, to read and to parse what is then refused would cost the memory and time that is missing.
    if (this.isFull()) throw new InboxFullError();
    const body = await this.collect(stream);
    return inflater === undefined ? body.toString('utf8') : this.inflate(inflater, body);
  }

  private collect(stream: Readable): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let size = 0;
      let settled = false;
      const settle = (error?: Error): void => {
        settled = true;
        stream.removeAllListeners('data');
        this.receivingBytes -= size;
        size = 0;
        if (error === undefined)
          resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks));
        else reject(error);
      };
      stream.on('data', (chunk: Buffer) => {
        size += chunk.length;
        this.receivingBytes += chunk.length;
        chunks.push(chunk);
        if (size > this.maxBytes) settle(new BodyTooLargeError(this.maxBytes));
        else if (this.receivingBytes > MAX_RECEIVING_BYTES) settle(new InboxFullError());
      });
      stream.once('end', () => settle());
      // The client went away: nobody reads the answer, but the request must end. `close` follows every end.
      const breakOff = (): void => void (settled || settle(new IncompleteBodyError()));
      stream.once('error', breakOff);
      stream.once('close', breakOff);
    });
  }

  private async inflate(inflater: Inflate, compressed: Buffer): Promise<string> {
    try {
      return (await inflater(compressed, { maxOutputLength: this.maxBytes })).toString('utf8');
    } catch (error) {
      const tooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
      throw tooLarge ? new BodyTooLargeError(this.maxBytes) : new InvalidEncodingError();
    }
  }
}
