import type { EventType } from '../events/customer-event';

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
  /** Where it came from, as far as proxies are believed; undefined when events are not to have it. */
  readonly address: string | undefined;
  /** Store nothing unless every event is valid. */
  readonly strict: boolean;
  /** Fill in what an event of a batch lacks, messageId and timestamp, as for calls of one event. */
  readonly defaults: boolean;
  /** When its headers came, in milliseconds: how long its body takes, and what it waits for, is not the sender's time. */
  readonly receivedAtMs: number;
  /** Of the answer and the log. */
  readonly requestId: string;
  /** Of the span of the request, when it is traced. */
  readonly traceparent: string | undefined;
}
