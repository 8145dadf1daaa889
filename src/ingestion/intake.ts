import { Inject, Injectable } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import type { EventType } from '../events/customer-event';
import { Config } from '../platform/config/config';
import { databaseNowMs } from '../platform/database/database-clock';
import type { AuthenticatedSource } from '../sources/write-keys';
import { type CheckedEvents, checkEvents, rejectUnstorable } from './parsing/check-events';
import { needsCleaning } from './parsing/clean-json';
import { decodeUtf8 } from './receiving/decode-utf8';
import { GroupCommit, type EventOutcome } from './inbox/group-commit';
import { bodyWriteKey, writeKeysIn } from './receiving/find-write-key';
import { InvalidEventsError } from './ingestion-problems';
import { IntakeReport } from './intake-report';
import { type Limits, limitsOf } from './parsing/limits';
import type { ParseContext } from './parsing/parse-event';
import { type Envelope, openBatch, openSingle, parseJson } from './parsing/parse-request';
import { Senders } from './receiving/senders';
import { RejectionLog } from './rejection-log';

/** One request to take in events. */
export interface IntakeRequest {
  /** Reads the body, which is JSON whatever its Content-Type was. @param known whether the headers have a valid key */
  readonly readBody: (known: boolean) => Promise<Buffer>;
  /** From the header; without it the body must have one. */
  readonly writeKey: string | undefined;
  /** From the query, for paths that allow it there; comes last. */
  readonly fallbackKey?: string | undefined;
  /** Of a call with one event; undefined for a batch. */
  readonly type: EventType | undefined;
  /** Whether a page sent it. */
  readonly fromBrowser: boolean;
  /** Where it came from, as far as proxies are believed. */
  readonly address: string;
  /** Store nothing unless every event is valid. */
  readonly strict: boolean;
  /** Fill in what an event of a batch lacks, messageId and timestamp, as for calls of one event. */
  readonly defaults: boolean;
  /** Of the answer and the log. */
  readonly requestId: string;
  /** Of the span of the request, when it is traced. */
  readonly traceparent: string | undefined;
}

/** How many events were stored, and how many had been before. */
export interface IntakeResult {
  readonly accepted: number;
  readonly duplicates: number;
}

/**
 * The way of a request from its bytes to 200, one step a line. `event.processor.ts` is the way of its events from there.
 */
@Injectable()
export class Intake {
  private readonly limits: Limits;
  private readonly fillsIp: boolean;

  constructor(
    @Inject(Config) config: Config,
    private readonly senders: Senders,
    private readonly groupCommit: GroupCommit,
    private readonly report: IntakeReport,
    private readonly rejections: RejectionLog,
  ) {
    this.limits = limitsOf(config);
    this.fillsIp = config.intake.fillsIp;
  }

  /**
   * Resolves once all events are on disk.
   * @throws InvalidWriteKeyError, InvalidJsonError, InvalidBodyError, TooManyEventsError, OverloadedError,
   *   StoreUnavailableError; InvalidEventsError when some are not valid, after the valid ones are stored.
   */
  async takeEvents(request: IntakeRequest): Promise<IntakeResult> {
    const received = await this.receive(request);
    if (request.strict) this.demandAllValid(received);
    const outcomes = await this.groupCommit.storeEvents(received.valid);
    return this.answer(request, received, outcomes);
  }

  /** A function of its own: a frame that waits for the store must not hold the text of the body. */
  private async receive(request: IntakeRequest): Promise<ReceivedEvents> {
    const known = await this.senderOfHeaders(request);
    const bytes = await request.readBody(known !== undefined);
    if (known === undefined) await this.demandKeyIn(bytes, request);
    const text = decodeUtf8(bytes);
    const body = parseJson(text);
    const source = known ?? (await this.senderOfBody(body, request));
    const envelope = request.type === undefined ? openBatch(body, this.limits) : openSingle(body);
    return { source, ...this.check(envelope, text, source, request) };
  }

  private async senderOfHeaders({
    writeKey,
    fromBrowser,
  }: IntakeRequest): Promise<AuthenticatedSource | undefined> {
    return writeKey === undefined ? undefined : this.senders.authenticate([writeKey], fromBrowser);
  }

  /** Without a key nothing is decoded and parsed. */
  private demandKeyIn(bytes: Buffer, { fallbackKey, fromBrowser }: IntakeRequest): Promise<unknown> {
    return this.senders.authenticate([...writeKeysIn(bytes), fallbackKey], fromBrowser);
  }

  private senderOfBody(
    body: unknown,
    { fallbackKey, fromBrowser }: IntakeRequest,
  ): Promise<AuthenticatedSource> {
    return this.senders.authenticate([bodyWriteKey(body) ?? fallbackKey], fromBrowser);
  }

  private check(
    { events, sentAt, context }: Envelope,
    text: string,
    source: AuthenticatedSource,
    { type, defaults, traceparent, fromBrowser, address }: IntakeRequest,
  ): CheckedEvents {
    const receivedAtMs = databaseNowMs();
    const parseContext: ParseContext = {
      receivedAtMs,
      receivedAt: new Date(receivedAtMs).toISOString(),
      sentAt,
      context,
      ip: fromBrowser && this.fillsIp ? withoutMapping(address) : undefined,
      type,
      newMessageId: type === undefined && !defaults ? undefined : uuidv7,
      needsCleaning: needsCleaning(text),
      limits: this.limits,
    };
    return checkEvents(events, parseContext, {
      sourceId: source.id,
      traceparent,
      isBatch: type === undefined,
      onRejected: (sent, { messageId, problems }) =>
        this.rejections.note({ sourceId: source.id, sent, context, messageId, type }, problems),
    });
  }

  private demandAllValid({ source, rejected }: ReceivedEvents): void {
    if (rejected.length === 0) return;
    this.report.refused(source.id, rejected);
    throw new InvalidEventsError(rejected, { accepted: 0, duplicates: 0 });
  }

  private answer(
    { requestId }: IntakeRequest,
    { source, valid, rejected }: ReceivedEvents,
    outcomes: readonly EventOutcome[],
  ): IntakeResult {
    const counts = { accepted: count(outcomes, 'stored'), duplicates: count(outcomes, 'duplicate') };
    const unstorable = valid.filter((_, position) => outcomes[position] === 'refused');
    const all = [...rejected, ...unstorable.map(rejectUnstorable)];
    this.report.stored({
      requestId,
      sourceId: source.id,
      sourceName: source.name,
      ...counts,
      events: valid,
      outcomes,
      rejected: all,
    });
    if (all.length > 0) throw new InvalidEventsError(all, counts);
    return counts;
  }
}

/** The events of a body and whose they are. */
interface ReceivedEvents extends CheckedEvents {
  readonly source: AuthenticatedSource;
}

/** An address of IPv4, which a socket of IPv6 shows as `::ffff:192.0.2.1`. */
function withoutMapping(address: string): string {
  return address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address;
}

function count(outcomes: readonly EventOutcome[], outcome: EventOutcome): number {
  return outcomes.reduce((sum, one) => (one === outcome ? sum + 1 : sum), 0);
}
