import type { StorableEvent } from '../../events/event-store';
import { messageKey } from '../../events/message-key';
import { newRowId } from '../../platform/database/connections/database-clock';
import type { Violation } from '../../tracking-plans/language/plan';
import type { ViolationOutcome } from '../../tracking-plans/violations/count-violations';
import type { EventProblem } from './event-problem';
import type { Rejection, Warning } from '../ingestion-problems';
import { parseEvent, type ParsedEvent, type ParseContext, type RejectedEvent } from './parse-event';

/** Told of in one answer. */
const MAX_WARNINGS = 100;

/** A valid event of a request. */
export interface IndexedEvent extends StorableEvent {
  /** Position in the request. */
  readonly index: number;
  readonly messageId: string;
}

/** A valid event that its tracking plan keeps apart. */
export interface EventToQuarantine {
  readonly event: IndexedEvent;
  readonly plan: { readonly id: string; readonly version: number };
  readonly violations: readonly Violation[];
}

/** The events of a request, each with its place: those that may be stored, and those that may not. */
export interface CheckedEvents {
  readonly valid: readonly IndexedEvent[];
  readonly quarantined: readonly EventToQuarantine[];
  readonly rejected: readonly Rejection[];
  /** Where those that are not rejected differ from their tracking plan: the first ones. */
  readonly warnings: readonly Warning[];
}

/** Whose the events are, and in what they came. */
interface EventOrigin {
  readonly sourceId: string;
  /** Of the request, when it is traced. */
  readonly traceparent: string | undefined;
  /** Whether places are in a batch; a call of one event is its event. */
  readonly isBatch: boolean;
  /** Told of each event that may not be stored. */
  readonly onRejected?: (sent: unknown, rejected: RejectedEvent) => void;
  /** Told of each event that differs from its tracking plan; without its id where it is blocked. */
  readonly onViolations?: (
    violations: readonly Violation[],
    outcome: ViolationOutcome,
    eventId?: string,
  ) => void;
}

/** Checks and normalises each event of a request. Never throws, whatever they are. */
export function checkEvents(
  events: readonly unknown[],
  context: ParseContext,
  origin: EventOrigin,
): CheckedEvents {
  const valid: IndexedEvent[] = [];
  const quarantined: EventToQuarantine[] = [];
  const rejected: Rejection[] = [];
  const warnings: Warning[] = [];
  events.forEach((sent, index) => {
    const parsed = parseEvent(sent, context);
    if (!parsed.accepted) {
      rejected.push(reject(index, parsed.messageId, parsed.problems, origin.isBatch));
      origin.onRejected?.(sent, parsed);
      if (parsed.violations !== undefined) origin.onViolations?.(parsed.violations, 'rejected');
      return;
    }
    const event = indexed(index, parsed, origin);
    const { violations } = parsed;
    if (parsed.quarantinedBy === undefined) valid.push(event);
    else quarantined.push({ event, plan: parsed.quarantinedBy, violations });
    if (violations.length === 0) return;
    addWarnings(warnings, event, violations, origin.isBatch);
    const outcome = parsed.quarantinedBy === undefined ? 'accepted' : 'quarantined';
    origin.onViolations?.(violations, outcome, event.id);
  });
  return { valid, quarantined, rejected, warnings };
}

function addWarnings(
  warnings: Warning[],
  { index, messageId }: IndexedEvent,
  violations: readonly Violation[],
  isBatch: boolean,
): void {
  for (const { code, path, rule, message } of violations) {
    if (warnings.length === MAX_WARNINGS) return;
    warnings.push({ index, messageId, code, path: pathInRequest(index, path, isBatch), rule, message });
  }
}

/** An event that PostgreSQL refused, although it is valid. */
export function rejectUnstorable({ index, messageId }: IndexedEvent): Rejection {
  return reject(index, messageId, [NOT_STORABLE], true);
}

const NOT_STORABLE: EventProblem = {
  code: 'event_not_storable',
  path: '',
  message: 'The store refused this event. Please report it.',
};

function indexed(index: number, event: ParsedEvent, { sourceId, traceparent }: EventOrigin): IndexedEvent {
  const { messageId, sentMessageId, subject, timestampMs, type, name } = event;
  const id = newRowId();
  const key = messageKey(sourceId, sentMessageId);
  const payload = Buffer.from(event.payload);
  return { index, messageId, traceparent, id, key, sourceId, subject, type, name, timestampMs, payload };
}

function reject(
  index: number,
  messageId: string | undefined,
  problems: readonly EventProblem[],
  isBatch: boolean,
): Rejection {
  const details = problems.map(({ code, path, message, rule }) => ({
    path: pathInRequest(index, path, isBatch),
    code,
    message,
    ...(rule === undefined ? {} : { rule }),
  }));
  const {
    code = 'event_not_storable',
    path = pathInRequest(index, '', isBatch),
    message = '',
  } = details[0] ?? {};
  return { index, messageId, code, path, message, problems: details };
}

function pathInRequest(index: number, path: string, isBatch: boolean): string {
  return [isBatch ? `batch[${index}]` : '', path].filter((part) => part !== '').join('.');
}
