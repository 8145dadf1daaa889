import type { Type } from '@nestjs/common';
import type { EventType } from '../events/customer-event';

/** One event on its way to a destination. */
export interface OutboundEvent {
  /** The delivery id, the same on each try. */
  readonly deliveryId: string;
  readonly type: EventType;
  /** The event as JSON text. These are the bytes that are signed and sent. */
  readonly body: string;
}

/** What a connector may use while it sends. */
export interface SendContext {
  /** Aborted at the total deadline of the try, and at shutdown. */
  readonly signal: AbortSignal;
}

/** What is kept of a try that succeeded. */
export interface SendResult {
  readonly status?: number;
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
  send(event: OutboundEvent, config: Config, context: SendContext): Promise<SendResult>;
}
