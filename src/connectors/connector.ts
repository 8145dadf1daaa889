import type { Type } from '@nestjs/common';
import type { ProblemDetail } from '../platform/http/problems/problem';
import type { ConnectorContext } from './connector-context';

/** One event on its way to a destination. */
export interface OutboundEvent {
  /** The delivery id, the same on each try. */
  readonly deliveryId: string;
  /** What it is, whatever the mapping says: `track`, `identify`, …; `delete` or `notice`. */
  readonly eventType: string;
  /** Who sent it; undefined of what the service itself tells. */
  readonly sourceId?: string | undefined;
  /** The event as JSON text. These are the bytes that are signed and sent. */
  readonly body: string;
}

/** Where the time of a try went, in milliseconds. What was not needed (a connection that was kept open) is absent. */
export interface Latency {
  readonly dnsMs?: number;
  readonly connectMs?: number;
  readonly tlsMs?: number;
  readonly firstByteMs?: number;
}

/** What is kept of an answer, good or bad. */
export interface Answer {
  readonly status?: number;
  /** The beginning of the body, as text. 1 KB of it is kept. */
  readonly excerpt?: string;
  readonly latency?: Latency;
}

/** What every connector says of itself. */
export interface ConnectorDeclaration<Config extends object = object> {
  /** The `type` of its destinations: lower case, digits and dashes. */
  readonly id: string;
  readonly name: string;
  /** Validated with class-validator when a destination is written, and described in Swagger. */
  readonly configClass: Type<Config>;
  /**
   * What of the config is sealed at rest and masked in answers: `token`, `auth.password` in the object `auth`,
   * `headers.*` for each member of the object `headers`.
   */
  readonly secretFields: readonly string[];
  /** Secrets that the service makes when a create leaves them out. */
  newSecrets?(): Partial<Config>;
  /**
   * Who gets to see the secrets of the config, such as the origin of the URL that a token is sent to. When a change
   * would show secrets to another one, they have to be given again: whoever may change a destination must not learn
   * them by that. Not asked of those that `newSecrets` makes, which are for signing.
   */
  secretsGoTo?(config: Config): string | undefined;
  /**
   * What class-validator cannot tell, for example that an address may not be reached. Paths are relative to the config.
   */
  check?(config: Config): Promise<readonly ProblemDetail[]>;
  /** Lets go of what was kept open, at shutdown. */
  close?(): Promise<void>;
}

/**
 * A way for events to leave, one by one. Resolving means delivered; `RetryableDeliveryError` and
 * `PermanentDeliveryError` are the retry decision, and whether the destination is disabled.
 */
export interface EventConnector<Config extends object = object> extends ConnectorDeclaration<Config> {
  send(event: OutboundEvent, config: Config, context: ConnectorContext): Promise<Answer>;
  /** What a try sends, for people to see: without what proves who sends it. Secrets are masked. */
  describeRequest?(event: OutboundEvent, config: Config): DescribedRequest | Promise<DescribedRequest>;
}

/** A request as people may see it. */
export interface DescribedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  /** Where it is not that of the event. */
  readonly body?: string;
}

/** When a batch is closed: at whichever is reached first. */
export interface BatchLimits {
  readonly maxEvents: number;
  /** Of the events' JSON, before compression. */
  readonly maxBytes: number;
  /** Age of the oldest event that waits. */
  readonly flushSeconds: number;
}

/**
 * Events that leave together. Its id and its events are fixed before the first try and the same on each try, so
 * that a connector that writes to a place that follows from them writes each event exactly once.
 */
export interface OutboundBatch {
  /** UUIDv7. */
  readonly id: string;
  /** All events of a batch come from one source and one hour. Notices have `notices` here. */
  readonly sourceId: string;
  /** The hour of reception in UTC: `2026-11-20T16`. */
  readonly hour: string;
  /** How many events it was closed with; fewer are left when some were deleted since. */
  readonly eventCount: number;
  /** The events in their order; may be called again and reads them anew, a few hundred at a time. */
  events(): AsyncIterable<OutboundEvent>;
}

/** A way for events to leave many at a time. Everything else is as with an {@link EventConnector}. */
export interface BatchConnector<Config extends object = object> extends ConnectorDeclaration<Config> {
  /**
   * Whether a destination with this config gets batches: always, where it is left out. Of a connector that has `send`,
   * too.
   */
  sendsBatches?(config: Config): boolean;
  /**
   * A batch is one request, and its receiver may drop one whose id it has seen. Then a try may take as long as that of
   * one event, what is replayed leaves in another batch, and whether the receiver is back is found out with a batch
   * that waits. Left out: a batch may be written over, so that what is replayed leaves in the one that it was in.
   */
  readonly batchIsRequest?: boolean;
  batchLimits(config: Config): BatchLimits;
  sendBatch(batch: OutboundBatch, config: Config, context: ConnectorContext): Promise<Answer>;
  /**
   * Finds out whether sending would work, without sending events. Throws what `sendBatch` would. Needed, but where a
   * batch is a request: there a sample finds it out.
   */
  checkAccess?(config: Config, context: ConnectorContext): Promise<Answer>;
}

/** A way for events to leave. */
export type Connector<Config extends object = object> = EventConnector<Config> | BatchConnector<Config>;

/** The secrets that the service makes for a connector when they are left out: those that both sides sign with. */
export function madeSecrets(connector: Connector): readonly string[] {
  return Object.keys(connector.newSecrets?.() ?? {});
}

/** Whether a destination with this config gets batches; else it gets events one by one. */
export function sendsBatches<Config extends object>(
  connector: Connector<Config>,
  config: Config,
): connector is BatchConnector<Config> {
  return 'sendBatch' in connector && connector.sendsBatches?.(config) !== false;
}
