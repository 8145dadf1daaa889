import { Inject, Injectable, Logger } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import type { EventType } from '../events/customer-event';
import type { StorableEvent } from '../events/event-store';
import { messageKey } from '../events/message-key';
import { Config } from '../platform/config/config';
import { databaseNowMs, newRowId } from '../platform/database/database-clock';
import { mayPass } from '../platform/database/failure';
import { TerminalLines } from '../platform/logging/terminal-lines';
import { type AuthenticatedSource, WriteKeys } from '../sources/write-keys';
import { needsCleaning } from './clean-json';
import { decodeUtf8 } from './decode-utf8';
import { EventInbox, type EventOutcome } from './event-inbox';
import { IngestionMetrics } from './ingestion.metrics';
import type { EventProblem } from './event-problem';
import { bodyWriteKey, writeKeysIn } from './find-write-key';
import {
  InvalidEventsError,
  InvalidWriteKeyError,
  type Rejection,
  StoreUnavailableError,
} from './ingestion-problems';
import { type Limits, limitsOf } from './limits';
import { parseEvent, type ParsedEvent, type ParseContext } from './parse-event';
import { type Envelope, openBatch, openSingle, parseJson } from './parse-request';

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

/** Takes in the events of a request: authenticates, parses, stores, counts. */
@Injectable()
export class Intake {
  private readonly logger = new Logger(Intake.name);
  private readonly limits: Limits;
  private readonly logsEverything: boolean;
  private readonly terminal: TerminalLines;

  constructor(
    @Inject(Config) config: Config,
    private readonly writeKeys: WriteKeys,
    private readonly inbox: EventInbox,
    private readonly metrics: IngestionMetrics,
  ) {
    this.limits = limitsOf(config);
    this.logsEverything = config.logsEverything;
    this.terminal = new TerminalLines((line) => this.logger.log(line), config.development);
  }

  /**
   * Resolves once all events are on disk.
   * @throws InvalidWriteKeyError, InvalidJsonError, InvalidBodyError, TooManyEventsError, InboxFullError,
   *   StoreUnavailableError; InvalidEventsError when some are not valid, after the valid ones are stored.
   */
  async take(request: IntakeRequest): Promise<IntakeResult> {
    const { source, events, rejected } = await this.readEvents(request);
    if (rejected.length > 0 && request.strict) {
      this.metrics.rejected(rejected);
      throw new InvalidEventsError(rejected, { accepted: 0, duplicates: 0 });
    }
    return this.store(events, rejected, request.requestId, source.name);
  }

  /** The enabled source with this key. @throws StoreUnavailableError */
  findSource(writeKey: string): Promise<AuthenticatedSource | undefined> {
    return this.writeKeys.find(writeKey).catch((error: unknown) => {
      throw mayPass(error) ? new StoreUnavailableError() : error;
    });
  }

  /** Apart from {@link take}, whose frame would hold the text of the body until the events are stored. */
  private async readEvents(request: IntakeRequest): Promise<ReadEvents> {
    const { writeKey, fallbackKey, type } = request;
    // A known key first: nobody without one makes us decode or parse.
    const known = writeKey === undefined ? undefined : await this.authenticate(writeKey, request);
    const bytes = await request.readBody(known !== undefined);
    if (known === undefined) await this.demandKnownKey([...writeKeysIn(bytes), fallbackKey], request);
    const text = decodeUtf8(bytes);
    const body = parseJson(text);
    const source = known ?? (await this.authenticate(bodyWriteKey(body) ?? fallbackKey, request));
    const envelope = type === undefined ? openBatch(body, this.limits) : openSingle(body);
    return { source, ...this.parse(envelope, text, request, source.id) };
  }

  /** @throws InvalidWriteKeyError when none of the keys is one. */
  private async demandKnownKey(keys: readonly (string | undefined)[], request: IntakeRequest): Promise<void> {
    for (const key of keys) {
      if (key !== undefined && (await this.findSource(key)) !== undefined) return;
    }
    throw new InvalidWriteKeyError(request.fromBrowser);
  }

  private async authenticate(
    writeKey: string | undefined,
    { fromBrowser }: IntakeRequest,
  ): Promise<AuthenticatedSource> {
    if (writeKey === undefined) throw new InvalidWriteKeyError(fromBrowser);
    const source = await this.findSource(writeKey);
    if (source === undefined) throw new InvalidWriteKeyError(fromBrowser);
    return source;
  }

  private parse(
    envelope: Envelope,
    text: string,
    request: IntakeRequest,
    sourceId: string,
  ): { events: IndexedEvent[]; rejected: Rejection[] } {
    const receivedAtMs = databaseNowMs();
    const context: ParseContext = {
      receivedAtMs,
      receivedAt: new Date(receivedAtMs).toISOString(),
      sentAt: envelope.sentAt,
      context: envelope.context,
      type: request.type,
      newMessageId: request.type === undefined && !request.defaults ? undefined : uuidv7,
      needsCleaning: needsCleaning(text),
      limits: this.limits,
    };
    const events: IndexedEvent[] = [];
    const rejected: Rejection[] = [];
    envelope.events.forEach((raw, index) => {
      const parsed = parseEvent(raw, context);
      if (parsed.accepted) {
        const { traceparent } = request;
        events.push({ index, messageId: parsed.messageId, traceparent, ...storable(parsed, sourceId) });
      } else rejected.push(rejection(index, parsed.messageId, parsed.problems, request.type === undefined));
    });
    return { events, rejected };
  }

  private async store(
    events: readonly IndexedEvent[],
    rejected: Rejection[],
    requestId: string,
    sourceName: string,
  ): Promise<IntakeResult> {
    const outcomes = await this.inbox.add(events);
    const counts = { accepted: count(outcomes, 'stored'), duplicates: count(outcomes, 'duplicate') };
    const refused = events.filter((_, position) => outcomes[position] === 'refused');
    const all = [
      ...rejected,
      ...refused.map(({ index, messageId }) => rejection(index, messageId, [NOT_STORABLE], true)),
    ];
    this.metrics.stored(counts);
    this.metrics.rejected(all);
    if (this.logsEverything) this.log(requestId, events, outcomes, all);
    this.terminal.tell(() => intakeLine(counts, all, sourceName));
    if (all.length > 0) throw new InvalidEventsError(all, counts);
    return counts;
  }

  /** Ids and codes, no messages: those may quote an event. */
  private log(
    requestId: string,
    events: readonly IndexedEvent[],
    outcomes: readonly EventOutcome[],
    rejected: readonly Rejection[],
  ): void {
    this.logger.debug('Events taken in', {
      requestId,
      eventIds: events.filter((_, position) => outcomes[position] === 'stored').map(({ id }) => id),
      duplicates: count(outcomes, 'duplicate'),
      rejected: rejected.map(({ index, code }) => ({ index, code })),
    });
  }
}

/** The events of a body and whose they are. */
interface ReadEvents {
  readonly source: AuthenticatedSource;
  readonly events: IndexedEvent[];
  readonly rejected: Rejection[];
}

interface IndexedEvent extends StorableEvent {
  /** Position in the request. */
  readonly index: number;
  readonly messageId: string;
}

const NOT_STORABLE: EventProblem = {
  code: 'event_not_storable',
  path: '',
  message: 'The store refused this event. Please report it.',
};

function storable(event: ParsedEvent, sourceId: string): StorableEvent {
  const id = newRowId();
  const key = messageKey(sourceId, event.sentMessageId);
  const { subject, timestampMs, type, name } = event;
  const payload = Buffer.from(event.payload);
  return { id, key, sourceId, subject, type, name, timestampMs, payload };
}

function rejection(
  index: number,
  messageId: string | undefined,
  problems: readonly EventProblem[],
  batch: boolean,
): Rejection {
  const place = batch ? `batch[${index}]` : '';
  const details = problems.map(({ code, path, message }) => ({
    path: [place, path].filter((part) => part !== '').join('.'),
    code,
    message,
  }));
  const { code = 'event_not_storable', path = place, message = '' } = details[0] ?? {};
  return { index, messageId, code, path, message, problems: details };
}

/** `Accepted 3 events from source Shop; 1 was known already; refused 1: batch[3].event is missing`. */
function intakeLine(
  { accepted, duplicates }: IntakeResult,
  rejected: readonly Rejection[],
  sourceName: string,
): string {
  const parts = [`Accepted ${accepted} ${accepted === 1 ? 'event' : 'events'} from source ${sourceName}`];
  if (duplicates > 0) parts.push(`${duplicates} ${duplicates === 1 ? 'was' : 'were'} known already`);
  const [first] = rejected;
  if (first !== undefined) parts.push(`refused ${rejected.length}: ${first.message}`);
  return parts.join('; ');
}

function count(outcomes: readonly EventOutcome[], outcome: EventOutcome): number {
  return outcomes.reduce((sum, one) => (one === outcome ? sum + 1 : sum), 0);
}
