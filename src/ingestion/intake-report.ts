import { Injectable, Logger } from '@nestjs/common';
import { Config } from '../platform/config/config';
import { Problem } from '../platform/http/problems/problem';
import { TerminalLines } from '../platform/logging/terminal-lines';
import { withoutIndexes } from '../tracking-plans/language/violation-path';
import { HeardSources } from '../sources/heard-sources';
import type { IndexedEvent, EventToQuarantine } from './parsing/check-events';
import type { EventOutcome } from './storing/group-commit';
import type { Rejection } from './ingestion-problems';
import { EventCounter } from './event-counter';
import { IngestionMetrics } from './ingestion.metrics';

/** Of one kind in a line. */
const LISTED = 3;

/** What became of the events of a request. */
interface IntakeOutcome {
  readonly requestId: string;
  readonly sourceId: string;
  readonly sourceName: string;
  readonly accepted: number;
  readonly duplicates: number;
  /** The valid ones that are not kept apart, and for each what became of it. */
  readonly events: readonly IndexedEvent[];
  readonly outcomes: readonly EventOutcome[];
  /** Those that a tracking plan keeps apart. */
  readonly quarantined: readonly EventToQuarantine[];
  readonly rejected: readonly Rejection[];
}

/** Tells what became of requests: counts, metrics, the log, in development the terminal, and that a source sends. */
@Injectable()
export class IntakeReport {
  private readonly logger = new Logger('Intake');
  private readonly logsEverything: boolean;
  private readonly terminal: TerminalLines;

  constructor(
    config: Config,
    private readonly metrics: IngestionMetrics,
    private readonly sources: HeardSources,
    private readonly counter: EventCounter,
  ) {
    this.logsEverything = config.logsEverything;
    this.terminal = new TerminalLines((line) => this.logger.log(line), config.development);
  }

  /** Nothing of the request was stored. */
  refused(sourceId: string, rejected: readonly Rejection[]): void {
    this.metrics.rejected(rejected);
    this.counter.count(sourceId, { accepted: 0, duplicate: 0, rejected: rejected.length, quarantined: 0 });
  }

  /** Before anything of a request was looked for in the store: senders that swallow errors have only the terminal. */
  turnedAway(error: unknown): never {
    if (error instanceof Problem)
      this.terminal.tell(() => `Refused a request (${error.status} ${error.code}): ${error.message}`);
    throw error;
  }

  stored(outcome: IntakeOutcome): void {
    const { sourceId, accepted, duplicates, rejected } = outcome;
    const quarantined = outcome.quarantined.length;
    if (accepted + duplicates + quarantined > 0) this.sources.hear(sourceId);
    this.metrics.stored({ accepted, duplicates, quarantined });
    this.metrics.rejected(rejected);
    this.counter.count(sourceId, {
      accepted,
      duplicate: duplicates,
      rejected: rejected.length,
      quarantined,
    });
    if (this.logsEverything) this.log(outcome);
    this.terminal.tell(() => intakeLine(outcome));
  }

  /** Ids and codes, no messages: those may quote an event. */
  private log({ requestId, events, outcomes, duplicates, quarantined, rejected }: IntakeOutcome): void {
    this.logger.debug('Events taken in', {
      requestId,
      eventIds: events.filter((_, position) => outcomes[position] === 'stored').map(({ id }) => id),
      duplicates,
      quarantined: quarantined.map(({ event: { index }, violations }) => ({
        index,
        code: violations[0]?.code,
      })),
      rejected: rejected.map(({ index, code }) => ({ index, code })),
    });
  }
}

/** `Accepted 3 events from source Shop; 1 was known already (m-1); refused 1: batch[3].event is missing`. */
function intakeLine(outcome: IntakeOutcome): string {
  const { accepted, duplicates, rejected, quarantined, sourceName } = outcome;
  const parts = [`Accepted ${accepted} ${accepted === 1 ? 'event' : 'events'} from source ${sourceName}`];
  if (duplicates > 0) {
    const known = listed(knownIds(outcome), ', ');
    parts.push(`${duplicates} ${duplicates === 1 ? 'was' : 'were'} known already (${known})`);
  }
  if (quarantined.length > 0) {
    parts.push(`quarantined ${quarantined.length}: ${listed(violationCounts(quarantined), ', ')}`);
  }
  const reasons = rejected.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  if (rejected.length > 0) parts.push(`refused ${rejected.length}: ${listed(reasons, ' ')}`);
  return parts.join('; ');
}

/** By the first thing that is wrong with each, most first: `2 of track Order Completed at properties.total`. */
function violationCounts(quarantined: readonly EventToQuarantine[]): string[] {
  const counts = new Map<string, number>();
  for (const { violations } of quarantined) {
    const [{ rule, path } = { rule: 'no rule', path: '' }] = violations;
    const what = path === '' ? rule : `${rule} at ${withoutIndexes(path)}`;
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([what, count]) => `${count} of ${what}`);
}

function knownIds({ events, outcomes }: IntakeOutcome): string[] {
  return events.filter((_, position) => outcomes[position] === 'duplicate').map(({ messageId }) => messageId);
}

/** The first of them. */
function listed(texts: readonly string[], separator: string): string {
  const more = texts.length - LISTED;
  return [...texts.slice(0, LISTED), ...(more > 0 ? [`… and ${more} more`] : [])].join(separator);
}
