import { Injectable, Logger } from '@nestjs/common';
import { refusesValues } from '../../platform/database/failure';
import { ThrottledWarning } from '../../platform/logging/throttled-warning';
import { withoutQuotes } from '../../platform/logging/without-quotes';
import { COMMITS_IN_FLIGHT, EventStore, type StorableEvent } from '../../events/event-store';
import { HandOver } from '../../events/inbox/hand-over';
import { StoreUnavailableError } from '../ingestion-problems';
import { IngestionMetrics } from '../ingestion.metrics';
import { Linger } from './linger';
import { bytesOf } from './store-room';

/** What became of one event: `refused` means that PostgreSQL could not store it, whatever stands beside it. */
export type EventOutcome = 'stored' | 'duplicate' | 'refused';

/** The events of one request on their way into the store. They are never split over two transactions. */
interface Submission {
  readonly events: readonly StorableEvent[];
  readonly bytes: number;
  readonly resolve: (outcomes: EventOutcome[]) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Events that must wait before a second commit starts beside the first. Fewer are better off in the next group: a
 * statement costs PostgreSQL as much as 20 rows do, and its commit a write to the disk.
 */
const OVERLAP_EVENTS = 200;
/** Events that wait for no others: a commit is shared well by so many. */
const ENOUGH_EVENTS = 16;
/** Events in one commit. More would hold up the first of them without making a row any cheaper. */
const MAX_GROUP_EVENTS = 1_000;
const MAX_GROUP_BYTES = 2 * 1024 * 1024;

/**
 * Group commit: gathers the events of concurrent requests and stores them with one statement. While one group is being
 * committed the next one gathers, so groups grow with the load and a lone request does not wait. Where requests come
 * one by one, but close together, a group lingers for some of them.
 */
@Injectable()
export class GroupCommit {
  private readonly logger = new Logger(GroupCommit.name);
  private readonly outage = new ThrottledWarning(this.logger);
  private waiting: Submission[] = [];
  private waitingEvents = 0;
  private commitsInFlight = 0;
  private flushScheduled = false;
  private readonly linger = new Linger();
  /** The group that waits for others. */
  private lingering: { readonly wanted: number; readonly end: () => void } | undefined;

  constructor(
    private readonly store: EventStore,
    private readonly handOver: HandOver,
    private readonly metrics: IngestionMetrics,
  ) {}

  /**
   * Stores events; resolves once they are on disk, with what became of each.
   * @throws StoreUnavailableError when PostgreSQL is away.
   */
  storeEvents(events: readonly StorableEvent[]): Promise<EventOutcome[]> {
    if (events.length === 0) return Promise.resolve([]);
    return new Promise((resolve, reject) => {
      this.waiting.push({ events, bytes: bytesOf(events), resolve, reject });
      this.waitingEvents += events.length;
      this.linger.noteRequest(performance.now());
      if (this.lingering === undefined) this.scheduleFlush();
      else if (this.hasGathered(this.lingering.wanted)) this.lingering.end();
    });
  }

  private scheduleFlush(): void {
    if (this.flushScheduled || !this.mayCommit()) return;
    this.flushScheduled = true;
    // After the requests that have arrived already.
    setImmediate(() => this.flushOrLinger(this.linger.nextGroup()));
  }

  private flushOrLinger(wanted: number): void {
    if (this.hasGathered(wanted)) return this.flushScheduledGroup();
    const end = (): void => {
      clearTimeout(timer);
      this.lingering = undefined;
      this.linger.noteGroup(this.waiting.length, wanted);
      this.flushScheduledGroup();
    };
    const timer = setTimeout(end, this.linger.maxMs);
    this.lingering = { wanted, end };
  }

  private hasGathered(wanted: number): boolean {
    return this.waiting.length >= wanted || this.waitingEvents >= ENOUGH_EVENTS;
  }

  private flushScheduledGroup(): void {
    this.flushScheduled = false;
    if (this.waiting.length > 0) void this.flush();
  }

  private mayCommit(): boolean {
    if (this.commitsInFlight === 0) return true;
    return this.commitsInFlight < COMMITS_IN_FLIGHT && this.waitingEvents >= OVERLAP_EVENTS;
  }

  private async flush(): Promise<void> {
    const group = this.takeGroup();
    this.commitsInFlight += 1;
    try {
      await this.commit(group);
      this.outage.over('Events are stored again');
    } catch (error) {
      this.outage.warn(`Events could not be stored: ${String(error)}`);
      for (const { reject } of group) reject(new StoreUnavailableError());
    } finally {
      this.commitsInFlight -= 1;
      if (this.waiting.length > 0) this.scheduleFlush();
    }
  }

  private takeGroup(): Submission[] {
    let events = 0;
    let bytes = 0;
    let count = 0;
    for (const submission of this.waiting) {
      if (count > 0 && events + submission.events.length > MAX_GROUP_EVENTS) break;
      if (count > 0 && bytes + submission.bytes > MAX_GROUP_BYTES) break;
      events += submission.events.length;
      bytes += submission.bytes;
      count += 1;
    }
    this.waitingEvents -= events;
    return this.waiting.splice(0, count);
  }

  private async commit(group: readonly Submission[]): Promise<void> {
    // The first of equal events stands for all of them.
    const distinct = new Map<string, StorableEvent>();
    for (const { events } of group) {
      for (const event of events) if (!distinct.has(event.key)) distinct.set(event.key, event);
    }
    const notStored = new Map<string, EventOutcome>();
    const startedAt = performance.now();
    await this.storeOrSplit([...distinct.values()], notStored);
    this.metrics.committed(distinct.size, performance.now() - startedAt);
    for (const { events, resolve } of group) {
      resolve(
        events.map(({ id, key }) => {
          const first = distinct.get(key)?.id ?? id;
          return notStored.get(first) ?? (first === id ? 'stored' : 'duplicate');
        }),
      );
    }
  }

  /** Halves what PostgreSQL refuses until the event it cannot store is alone. */
  private async storeOrSplit(
    events: readonly StorableEvent[],
    notStored: Map<string, EventOutcome>,
  ): Promise<void> {
    try {
      const { inboxId, duplicates } = await this.store.store(events);
      for (const id of duplicates) notStored.set(id, 'duplicate');
      if (inboxId === undefined) return;
      this.handOver.handOverRow({ inboxId, events: events.length - duplicates.length });
    } catch (error) {
      const [only] = events;
      if (!refusesValues(error) || only === undefined) throw error;
      if (events.length === 1) {
        this.logger.error('PostgreSQL refused an event', {
          eventId: only.id,
          reason: withoutQuotes(String(error)),
        });
        notStored.set(only.id, 'refused');
        return;
      }
      const middle = Math.ceil(events.length / 2);
      await this.storeOrSplit(events.slice(0, middle), notStored);
      await this.storeOrSplit(events.slice(middle), notStored);
    }
  }
}
