import { ApiProperty } from '@nestjs/swagger';
import { userIdOf } from '../../../events/subject';
import { timeOfId } from '../../../events/partitions/partition-plan';
import {
  deadReasonOf,
  type Delivery,
  DELIVERY_STATES,
  type DeliveryState,
  lastErrorOf,
} from '../../ledger/delivery.entity';
import type { LastAnswer } from '../../ledger/dead-letters/read-last-answers';
import { WAITS_FOR, type WaitsFor } from '../../stats/waits';
import { DeliveryAttemptDto } from './delivery-attempt.dto';
import { SentRequestDto } from './sent-request.dto';

/** One event on its way to one destination. */
export class DeliveryDto {
  @ApiProperty({
    format: 'uuid',
    description: 'Also the `webhook-id` that the receiver gets, on every try, unless it is in a batch.',
  })
  id: string;

  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description:
      'The batch that it left, or is to leave, in: the `webhook-id` of its request, or what its object is called by. Null ' +
      'of one that goes by itself, or waits for others.',
  })
  batchId: string | null;

  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description:
      'The replay of stored events that made it. Null when the event was routed as it came in, and of what was replayed ' +
      'before this was noted. Dead letters that are replayed stay the deliveries that they are.',
  })
  replayId: string | null;

  @ApiProperty({ format: 'uuid' })
  destinationId: string;

  @ApiProperty({ enum: DELIVERY_STATES })
  state: DeliveryState;

  @ApiProperty({ format: 'uuid' })
  eventId: string;

  @ApiProperty({ example: 'track' })
  eventType: string;

  @ApiProperty({ type: String, nullable: true, example: 'Order Completed' })
  eventName: string | null;

  @ApiProperty({ type: String, nullable: true })
  userId: string | null;

  @ApiProperty({ type: String, nullable: true })
  anonymousId: string | null;

  @ApiProperty({
    type: 'integer',
    description:
      'Tries that came to an end. One that was cut off with its process (a crash, `kill -9`) is on record nowhere: it is ' +
      'made again, with the same `webhook-id`.',
  })
  attempts: number;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'http_5xx',
    description: 'Why the last try failed; null before the first one.',
  })
  errorClass: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'http_5xx',
    description:
      'Why a delivery is dead: the error class of its last try, or `expired` when it grew too old before its ' +
      'first one, or `order_limit` when others waited for it too long. Null in all other states.',
  })
  reason: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description:
      'When later deliveries of the same person were let past it, in a destination with an `order`: it may arrive after ' +
      'them. Null where that did not happen.',
  })
  passedAt: string | null;

  @ApiProperty({ format: 'date-time', description: 'When the event was routed.' })
  createdAt: string;

  @ApiProperty({
    format: 'date-time',
    description:
      'When the state or the number of tries last changed. Tries that ask whether a destination is back do not count for a ' +
      'delivery that is replayed.',
  })
  updatedAt: string;

  /** A notice is not stored as an event: its name is in its text. */
  static from(delivery: Delivery, storedName: string | undefined): DeliveryDto {
    const eventName = storedName ?? delivery.payload?.event;
    const createdMs = timeOfId(delivery.id);
    return Object.assign(new DeliveryDto(), {
      id: delivery.id,
      batchId: delivery.batchId,
      replayId: delivery.replayId,
      destinationId: delivery.destinationId,
      state: delivery.state,
      eventId: delivery.eventId,
      eventType: delivery.eventType,
      eventName: typeof eventName === 'string' ? eventName : null,
      userId: userIdOf(delivery.subject) ?? null,
      anonymousId: delivery.subject.startsWith('a:') ? delivery.subject.slice(2) : null,
      attempts: delivery.attempts,
      errorClass: lastErrorOf(delivery),
      reason: delivery.state === 'dead' ? deadReasonOf(delivery) : null,
      passedAt: delivery.passedAt?.toISOString() ?? null,
      createdAt: new Date(createdMs).toISOString(),
      // Its transaction may have begun before its id was made.
      updatedAt: new Date(Math.max(delivery.updatedAt.getTime(), createdMs)).toISOString(),
    });
  }
}

/** A dead letter, with what came of its last try. */
export class DeadLetterDto extends DeliveryDto implements LastAnswer {
  @ApiProperty({
    type: 'integer',
    nullable: true,
    example: 503,
    description: 'HTTP status that the last try was answered with; null when there was no answer, or no try.',
  })
  status: number | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The first KB of that answer, or what went wrong instead of it.',
  })
  answer: string | null;
}

/** A delivery with all of its tries. */
export class DeliveryWithAttemptsDto extends DeliveryDto {
  @ApiProperty({
    enum: WAITS_FOR,
    nullable: true,
    example: 'destination_paused',
    description:
      'What a pending delivery waits for; null when it is over or about to be sent. `destination_down`: the service ' +
      'asks the receiver every 30 seconds or sooner whether it is back, two minutes after a `Retry-After` at the latest. ' +
      '`next_try`: see `nextTryAt`; `earlier_delivery`: see `waitsBehind`; `earlier_events`: what was accepted before is not ' +
      'processed yet, or the destination was given its `order` a moment ago.',
  })
  waitsFor: WaitsFor | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When the next try is planned for; null when nothing but `waitsFor` is in its way.',
  })
  nextTryAt: string | null;

  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description:
      'The delivery that has to end first, in a destination with an `order`; null when it waits for none.',
  })
  waitsBehind: string | null;

  @ApiProperty({ type: [DeliveryAttemptDto] })
  tries: DeliveryAttemptDto[];
}

/** A delivery, its tries and what is sent. */
export class DeliveryDetailsDto extends DeliveryWithAttemptsDto {
  @ApiProperty({
    type: SentRequestDto,
    nullable: true,
    description: 'Null when the destination was deleted, or the event is not stored any more.',
  })
  request: SentRequestDto | null;
}
