import { isJsonObject, type JsonObject } from '../../events/customer-event';
import { type ExactJson, readExactly } from '../../events/exact-json';
import { isDeeperThan } from '../../platform/http/input/is-deeper-than';
import { jsonMistake } from '../../platform/http/input/json-mistake';
import { type Fields, readTime, type SentTime } from './field-values';
import {
  ContextTooLargeError,
  InvalidBodyError,
  InvalidJsonError,
  TooManyEventsError,
} from '../ingestion-problems';
import { type Limits, MAX_EVENT_DEPTH } from './limits';

/** The context of a batch is repeated in each of its events: together they may have so many times a body's bytes. */
const MAX_REPEATED_SHARE = 8;

/** The events of a request, not yet looked at, and what they share. */
export interface Envelope {
  readonly events: readonly unknown[];
  readonly sentAt: SentTime | undefined;
  readonly context: JsonObject | undefined;
}

/**
 * Numbers keep their digits, see {@link readExactly}. `NaN` and `Infinity`, as SDKs for Python write numbers that are
 * not finite, would cost all events of a batch: they are read as numbers beyond the range of a double are.
 * @throws InvalidJsonError
 */
export function parseSentJson(text: string): ExactJson {
  try {
    return readExactly(text);
  } catch {
    return parseJson(text.replace(STRING_OR_NOT_FINITE, inRangeOfJson), text);
  }
}

/** Numbers keep their digits, see {@link readExactly}. @throws InvalidJsonError of the text that was `sent` */
export function parseJson(text: string, sent = text): ExactJson {
  try {
    return readExactly(text);
  } catch {
    throw new InvalidJsonError(jsonMistake(sent));
  }
}

/** A string that does not end goes on to the end, so that this takes time in proportion to the text. */
const STRING_OR_NOT_FINITE = /"[^"\\]*(?:\\[^][^"\\]*)*"?|\b(?:NaN|Infinity)\b/g;

function inRangeOfJson(token: string): string {
  return token.startsWith('"') ? token : '1e999';
}

/**
 * Opens the body of a batch.
 * @throws InvalidBodyError when it is no object with a `batch`, TooManyEventsError, ContextTooLargeError.
 */
export function openBatch(body: unknown, limits: Limits): Envelope {
  const fields = objectOf(body);
  const { batch } = fields;
  if (!Array.isArray(batch)) {
    const message =
      batch === undefined ? 'Give the events in `batch`, an array.' : '`batch` must be an array of events.';
    throw new InvalidBodyError([{ path: 'batch', code: 'invalid_batch', message }]);
  }
  if (batch.length > limits.maxBatchEvents) throw new TooManyEventsError(limits.maxBatchEvents);
  return {
    events: batch,
    sentAt: readTime(fields.sentAt),
    context: contextOf(fields, batch.length, limits),
  };
}

function contextOf({ context }: Fields, events: number, limits: Limits): JsonObject | undefined {
  if (!isJsonObject(context)) return undefined;
  if (isDeeperThan(MAX_EVENT_DEPTH - 1, context)) {
    const message = `Nest objects and arrays of the context at most ${MAX_EVENT_DEPTH - 1} deep.`;
    throw new InvalidBodyError([{ path: 'context', code: 'context_too_deep', message }]);
  }
  const maxBytes = MAX_REPEATED_SHARE * limits.maxBodyBytes;
  if (JSON.stringify(context).length * events > maxBytes) throw new ContextTooLargeError(maxBytes);
  return context;
}

/** Opens the body of a call with one event: the body is the event. */
export function openSingle(body: unknown): Envelope {
  return { events: [objectOf(body)], sentAt: undefined, context: undefined };
}

function objectOf(body: unknown): Fields {
  if (isJsonObject(body)) return body;
  throw new InvalidBodyError([
    { path: '', code: 'not_an_object', message: 'The body must be a JSON object.' },
  ]);
}
