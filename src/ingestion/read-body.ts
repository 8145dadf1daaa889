import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { decodeUtf8 } from './decode-utf8';
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

/**
 * Bytes of all bodies that are on their way in at one moment. A body is counted whole from its first byte: if all
 * that come were let in for a part, none of them might get to its end.
 */
const MAX_RECEIVING_BYTES = 8 * 1024 * 1024;
/** What has mostly arrived with its headers. */
const SMALL_BODY_BYTES = 64 * 1024;

/** Reads request bodies: bounded one by one and all together, inflated where compressed. */
export class BodyReader {
  private readonly maxReceivingBytes: number;
  private receivingBytes = 0;

  /** @param isFull whether what is received now would have to be refused anyhow */
  constructor(
    private readonly maxBytes: number,
    private readonly isFull: () => boolean,
  ) {
    this.maxReceivingBytes = Math.max(MAX_RECEIVING_BYTES, 2 * maxBytes);
  }

  /**
   * Whether what is small can be answered at once, its body unread: Node then reads past it and the connection stays
   * usable. To read past large ones would cost the time that is missing, so theirs is closed (see {@link read}).
   */
  mustRefuseUnread(headers: IncomingHttpHeaders): boolean {
    const announced = announcedBytes(headers);
    return announced > 0 && announced <= SMALL_BODY_BYTES && !this.hasRoomFor(announced);
  }

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
    const announced = announcedBytes(headers);
    if (announced > this.maxBytes) throw new BodyTooLargeError(this.maxBytes);
    if (!this.hasRoomFor(announced)) throw new InboxFullError();
    const body = await this.collect(stream, announced);
    return decodeUtf8(inflater === undefined ? body : await this.inflate(inflater, body));
  }

  private hasRoomFor(announced: number): boolean {
    return !this.isFull() && this.receivingBytes + announced <= this.maxReceivingBytes;
  }

  private collect(stream: Readable, announced: number): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let size = 0;
      let counted = announced;
      let settled = false;
      this.receivingBytes += counted;
      const settle = (error?: Error): void => {
        settled = true;
        stream.removeAllListeners('data');
        this.receivingBytes -= counted;
        counted = 0;
        if (error === undefined)
          resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks));
        else reject(error);
      };
      stream.on('data', (chunk: Buffer) => {
        size += chunk.length;
        chunks.push(chunk);
        if (size > this.maxBytes) return settle(new BodyTooLargeError(this.maxBytes));
        if (size <= counted) return;
        // Nothing was announced: `Transfer-Encoding: chunked`.
        this.receivingBytes += size - counted;
        counted = size;
        if (this.receivingBytes > this.maxReceivingBytes) settle(new InboxFullError());
      });
      stream.once('end', () => void (settled || settle()));
      // The client went away: nobody reads the answer, but the request must end. `close` follows every end.
      const breakOff = (): void => void (settled || settle(new IncompleteBodyError()));
      stream.once('error', breakOff);
      stream.once('close', breakOff);
    });
  }

  private async inflate(inflater: Inflate, compressed: Buffer): Promise<Buffer> {
    try {
      return await inflater(compressed, { maxOutputLength: this.maxBytes });
    } catch (error) {
      const tooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
      throw tooLarge ? new BodyTooLargeError(this.maxBytes) : new InvalidEncodingError();
    }
  }
}

function announcedBytes(headers: IncomingHttpHeaders): number {
  return Number(headers['content-length'] ?? 0);
}
