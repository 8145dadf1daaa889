import type { Type } from '@nestjs/common';
import type { Answer, OutboundEvent } from './connector';
import type { ConnectorContext } from './connector-context';

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
  readonly destinationId: string;
  /** All events of a batch come from one source and one hour. */
  readonly sourceId: string;
  /** The hour of reception in UTC: `2026-11-20T16`. */
  readonly hour: string;
  /** How many events it was closed with; fewer are left when some were deleted since. */
  readonly eventCount: number;
  /** The events in their order; may be called again and reads them anew, a few hundred at a time. */
  events(): AsyncIterable<OutboundEvent>;
}

/** A connector that sends many events at once. Everything else is as with a {@link Connector}. */
export interface BatchConnector<Config extends object = object> {
  readonly id: string;
  readonly name: string;
  readonly configClass: Type<Config>;
  readonly secretFields: readonly string[];
  batchLimits(config: Config): BatchLimits;
  sendBatch(batch: OutboundBatch, config: Config, context: ConnectorContext): Promise<Answer>;
  /** Finds out whether sending would work, without sending. Throws what `sendBatch` would. */
  checkAccess(config: Config, context: ConnectorContext): Promise<Answer>;
}
