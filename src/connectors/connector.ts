import type { Type } from '@nestjs/common';
import type { JsonObject } from '../events/customer-event';
import type { ProblemDetail } from '../platform/http/problem';

/** One event on its way to a destination. */
export interface OutboundEvent {
  /** The delivery id, the same on each try. */
  readonly deliveryId: string;
  /** The event as JSON text. These are the bytes that are signed and sent. */
  readonly body: string;
}

/** What a connector may use while it sends. */
export interface SendContext {
  readonly destinationId: string;
  /** When the try must have ended, in milliseconds of `performance.now()`. */
  readonly deadline: number;
  /** After a rotation: the secrets before, for as long as receivers may still check against them. */
  readonly previousSecrets?: JsonObject;
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
  /** The beginning of the body, at most 1 KB, as text. */
  readonly excerpt?: string;
  readonly latency?: Latency;
}

/**
 * A way for events to leave. Resolving means delivered; `RetryableDeliveryError` and `PermanentDeliveryError`
 * are the retry decision.
 */
export interface Connector<Config extends object = object> {
  /** The `type` of its destinations. */
  readonly id: string;
  readonly name: string;
  /** Validated with class-validator when a destination is written, and described in Swagger. */
  readonly configClass: Type<Config>;
  /** Members of the config that are sealed at rest and masked in answers. */
  readonly secretFields: readonly string[];
  /** Secrets that the service makes when a create leaves them out. */
  newSecrets?(): Partial<Config>;
  /** What class-validator cannot tell, for example that an address may not be reached. Paths are relative to the config. */
  check?(config: Config): Promise<readonly ProblemDetail[]>;
  send(event: OutboundEvent, config: Config, context: SendContext): Promise<Answer>;
  /** Lets go of what was kept open, at shutdown. */
  close?(): Promise<void>;
}
