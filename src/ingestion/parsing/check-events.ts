import type { StorableEvent } from '../../events/event-store';
import { messageKey } from '../../events/message-key';
import { newRowId } from '../../platform/database/database-clock';
import type { EventProblem } from './event-problem';
import type { Rejection } from '../ingestion-problems';
import { parseEvent, type ParsedEvent, type ParseContext, type RejectedEvent } from './parse-event';

/** A valid event of a request. */
export interface IndexedEvent extends StorableEvent {
  /** Position in the request. */
  readonly index: number;
  readonly messageId: string;
}

/** The events of a request, each with its place: those that may be stored, and those that may not. */
export interface CheckedEvents {
  readonly valid: readonly IndexedEvent[];
  readonly rejected: readonly Rejection[];
}

/** Whose the events are, and in what they came. */
export interface Origin {
  readonly sourceId: string;
  /** Of the request, when it is traced. */
  readonly traceparent: string | undefined;
  /** Whether places are in a batch; a call of one event is its event. */
  readonly isBatch: boolean;
  /** Told of each event that may not be stored. */
  readonly onRejected?: (sent: unknown, rejected: RejectedEvent) => void;
}

/** Checks and normalises each event of a request. Never throws, whatever they are. */
export function checkEvents(
  events: readonly unknown[],
  context: ParseContext,
  origin: Origin,
): CheckedEvents {
  const valid: IndexedEvent[] = [];
  const rejected: Rejection[] = [];
  events.forEach((sent, index) => {
    const parsed = parseEvent(sent, context);
    if (parsed.accepted) return void valid.push(indexed(index, parsed, origin));
    rejected.push(reject(index, parsed.messageId, parsed.problems, origin.isBatch));
    origin.onRejected?.(sent, parsed);
  });
  return { valid, rejected };
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

function indexed(index: number, event: ParsedEvent, { sourceId, traceparent }: Origin): IndexedEvent {
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
  const place = isBatch ? `batch[${index}]` : '';
  const details = problems.map(({ code, path, message }) => ({
    path: [place, path].filter((part) => part !== '').join('.'),
    code,
    message,
  }));
  const { code = 'event_not_storable', path = place, message = '' } = details[0] ?? {};
  return { index, messageId, code, path, message, problems: details };
}
