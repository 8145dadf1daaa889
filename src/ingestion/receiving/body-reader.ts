import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { IncomingBody, LOOK_INTERVAL_MS } from './incoming-body';
import { BodyInflater } from './body-inflater';
import { BodyTooLargeError, OverloadedError } from '../ingestion-problems';
import { ReceptionBudget, type BodySender, SMALL_BODY_BYTES } from './reception-budget';

/** Reads request bodies: bounded one by one and all together, inflated where compressed. */
export class BodyReader {
  private readonly budget: ReceptionBudget;
  private readonly inflater: BodyInflater;
  private readonly incoming = new Set<IncomingBody>();
  private timer: NodeJS.Timeout | undefined;

  /** @param isStoreFull whether what is received now would have to be refused anyhow */
  constructor(
    private readonly maxBytes: number,
    private readonly isStoreFull: () => boolean,
  ) {
    this.budget = new ReceptionBudget(maxBytes);
    this.inflater = new BodyInflater(maxBytes);
  }

  /**
   * Whether a body is small and would be refused. Its request can be answered at once, for Node reads past what is
   * small and the connection stays usable. To read past large ones would cost the time that is missing.
   * @param isStranger whether the headers have no write key at all: one that is invented is found out before the body
   */
  mustRefuseUnread(headers: IncomingHttpHeaders, isStranger: () => boolean): boolean {
    const announced = announcedBytes(headers);
    return (
      announced > 0 && announced <= SMALL_BODY_BYTES && (this.isStoreFull() || this.budget.isFull(isStranger))
    );
  }

  /** As {@link read}, of a request; nothing where it has no body. @param known whether it is known who sends it */
  async readOf({ headers, raw, ip, body }: FastifyRequest, known: boolean): Promise<Buffer> {
    return body === undefined ? Buffer.alloc(0) : this.read(headers, raw, { address: ip, known });
  }

  /**
   * The whole body, inflated.
   * @throws BodyTooLargeError, BodyTooSlowError, OverloadedError, InvalidEncodingError, IncompleteBodyError or
   *   UnsupportedMediaTypeError.
   */
  async read(headers: IncomingHttpHeaders, stream: Readable, sender: BodySender): Promise<Buffer> {
    const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
    this.inflater.demandEncoding(encoding);
    if (announcedBytes(headers) > this.maxBytes) throw new BodyTooLargeError(this.maxBytes);
    if (this.isStoreFull()) throw new OverloadedError();
    const body = new IncomingBody(this.maxBytes, this.budget, sender);
    this.incoming.add(body);
    this.timer ??= setInterval(() => this.look(), LOOK_INTERVAL_MS).unref();
    try {
      const bytes = await body.collect(stream);
      return await this.inflater.inflate(encoding, bytes);
    } finally {
      this.incoming.delete(body);
      body.release();
    }
  }

  private look(): void {
    for (const body of this.incoming) body.look();
    if (this.incoming.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}

function announcedBytes(headers: IncomingHttpHeaders): number {
  return Number(headers['content-length'] ?? 0);
}
