import { Injectable } from '@nestjs/common';
import type { AuthenticatedSource } from '../sources/write-keys';
import { EventChecks } from './event-checks';
import { type CheckedEvents, type EventToQuarantine, rejectUnstorable } from './parsing/check-events';
import { decodeUtf8 } from './receiving/decode-utf8';
import { GroupCommit, type EventOutcome } from './storing/group-commit';
import { StoreRoom } from './storing/store-room';
import { bodyWriteKey, writeKeysIn } from './receiving/find-write-key';
import { InvalidEventsError, type PlanAnswer, type Warning } from './ingestion-problems';
import type { IntakeRequest } from './intake-request';
import { IntakeReport } from './intake-report';
import { parseSentJson } from './parsing/parse-request';
import { type KeptApart, QuarantineLog } from './quarantine-log';
import { Senders } from './receiving/senders';

/** How many events were stored, and how many had been before. */
interface IntakeResult extends PlanAnswer {
  readonly accepted: number;
  readonly duplicates: number;
}

/**
 * The way of a request from its bytes to 200, one step a line. `event.processor.ts` is the way of its events from
 * there.
 */
@Injectable()
export class Intake {
  constructor(
    private readonly senders: Senders,
    private readonly checks: EventChecks,
    private readonly room: StoreRoom,
    private readonly groupCommit: GroupCommit,
    private readonly quarantine: QuarantineLog,
    private readonly report: IntakeReport,
  ) {}

  /**
   * Resolves once all events are on disk.
   * @throws InvalidWriteKeyError, InvalidJsonError, InvalidBodyError, TooManyEventsError, OverloadedError,
   *   StoreUnavailableError; InvalidEventsError when some are not valid, after the valid ones are stored.
   */
  async takeEvents(request: IntakeRequest): Promise<IntakeResult> {
    const received = await this.receive(request).catch((error: unknown) => this.report.turnedAway(error));
    const { valid, quarantined } = received;
    return this.room.reserve([...valid, ...quarantined.map(({ event }) => event)], async () => {
      const apart = await this.quarantine.keepEvents(quarantined);
      const outcomes = await this.groupCommit.storeEvents(valid);
      return this.answer(request, { received, apart, outcomes });
    });
  }

  /** A function of its own: a frame that waits for the store must not hold the text of the body. */
  private async receive(request: IntakeRequest): Promise<ReceivedEvents> {
    const known = await this.senderOfHeaders(request);
    const bytes = await request.readBody(known !== undefined);
    if (known === undefined) await this.room.reserveForBody(bytes, () => this.demandKeyIn(bytes, request));
    const text = decodeUtf8(bytes);
    const body = parseSentJson(text);
    const source = known ?? (await this.senderOfBody(body.value, request));
    const checked = await this.room.reserveForBody(bytes, () =>
      this.checks.check({ text, body }, source, request),
    );
    if (request.strict) this.demandAllValid(source, checked);
    return { source, ...checked };
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

  private demandAllValid(source: AuthenticatedSource, { rejected }: CheckedEvents): void {
    if (rejected.length === 0) return;
    this.report.refused(source.id, rejected);
    throw new InvalidEventsError(rejected, { accepted: 0, duplicates: 0 });
  }

  private answer(
    { requestId }: IntakeRequest,
    { received, apart, outcomes: outcomesOfValid }: HandledEvents,
  ): IntakeResult {
    const { source, valid, rejected, warnings } = received;
    const { known, quarantined } = apart;
    const events = [...valid, ...known];
    const outcomes = [...outcomesOfValid, ...known.map(() => 'duplicate' as const)];
    const counts = { accepted: count(outcomes, 'stored'), duplicates: count(outcomes, 'duplicate') };
    const unstorable = events.filter((_, position) => outcomes[position] === 'refused');
    const all = [...rejected, ...unstorable.map(rejectUnstorable)];
    this.report.stored({
      requestId,
      sourceId: source.id,
      sourceName: source.name,
      ...counts,
      events,
      outcomes,
      quarantined,
      rejected: all,
    });
    const result = {
      accepted: counts.accepted,
      duplicates: counts.duplicates,
      ...planAnswer(quarantined, warnings),
    };
    if (all.length > 0) throw new InvalidEventsError(all, result);
    return result;
  }
}

/** The events of a body and whose they are. */
interface ReceivedEvents extends CheckedEvents {
  readonly source: AuthenticatedSource;
}

/** What became of the events of a request. */
interface HandledEvents {
  readonly received: ReceivedEvents;
  readonly apart: KeptApart;
  /** Of the valid ones. */
  readonly outcomes: readonly EventOutcome[];
}

function planAnswer(quarantined: readonly EventToQuarantine[], warnings: readonly Warning[]): PlanAnswer {
  return {
    ...(quarantined.length === 0 ? {} : { quarantined: quarantined.length }),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

function count(outcomes: readonly EventOutcome[], outcome: EventOutcome): number {
  return outcomes.reduce((sum, one) => (one === outcome ? sum + 1 : sum), 0);
}
