import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsObject, IsOptional } from 'class-validator';
import type { JsonObject } from '../../../events/customer-event';
import { IsId } from '../../../platform/http/input/ids';
import { IsInstant, RangeEnd, RangeStart } from '../../../platform/http/input/instant';
import {
  OptionalId,
  OptionalIds,
  OptionalInteger,
  OptionalText,
} from '../../../platform/http/input/optional-members';
import { EXAMPLE_IDS } from '../../../platform/openapi/example-ids';
import type { Replay } from '../../replay/replay.entity';
import { DESTINATION_WAITS_FOR, type DestinationWaitsFor } from '../../stats/waits';
import { OptionalReason } from './optional-reason';

export const DEFAULT_REPLAY_RATE = 100;
const MAX_REPLAY_RATE = 5_000;

/** Of which destination. */
export class ReplaysQueryDto {
  @OptionalId()
  destinationId?: string;
}

/** How fast. */
class ReplayRateDto {
  @OptionalInteger(1, MAX_REPLAY_RATE, {
    default: DEFAULT_REPLAY_RATE,
    description: 'Deliveries per second at most, beside the live traffic.',
  })
  ratePerSecond?: number;
}

/** Which dead letters to replay. */
export class ReplayDeadLettersDto extends ReplayRateDto {
  @ApiProperty({ format: 'uuid', example: EXAMPLE_IDS.madeDestination })
  @IsId()
  destinationId: string;

  @OptionalReason('Only those with this reason.')
  reason?: string;

  @RangeStart('Only those routed at this time or later.')
  from?: string;

  @RangeEnd('Only those routed before this time.')
  to?: string;
}

/** Which stored events to replay to a destination: of those in the range that it asks for. All parts must hold. */
export class ReplayEventsDto extends ReplayRateDto {
  @ApiProperty({
    format: 'date-time',
    example: '2026-01-01T00:00:00Z',
    description: 'Events received at this time or later.',
  })
  @IsInstant()
  from: string;

  @RangeEnd('Events received before this time; default now.')
  to?: string;

  @OptionalIds({ description: 'Ids of sources: only their events.' })
  sources?: string[] | null;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description:
      'Only events that pass it, written as the filter of a destination: `types`, `events`, `match`, `conditions`, ' +
      '`segments` (as people are in them now). See docs/routing.md.',
  })
  @IsOptional()
  @IsObject()
  filter?: JsonObject | null;

  @OptionalText(1, 512, { description: 'Only events that bear this user id.' })
  userId?: string;

  @OptionalText(1, 512, { description: 'Only events that bear this anonymous id.' })
  anonymousId?: string;
}

/** What a replay of events would send. */
export class ReplayDryRunDto {
  @ApiProperty({ type: 'integer', description: 'Deliveries that would be made.' })
  deliveries: number;

  @ApiProperty({
    description:
      'Whether they were counted. Otherwise that took too long: `deliveries` is estimated from the events that were ' +
      'looked at.',
  })
  exact: boolean;

  @ApiProperty({ type: 'integer', description: 'Events that were looked at.' })
  lookedAt: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description:
      'Events in the range, of the user when one is given; null when too many to count. Then `deliveries` is for a million of them.',
  })
  events: number | null;

  @ApiProperty({ format: 'date-time', description: 'Of the range, inclusive.' })
  from: string;

  @ApiProperty({ format: 'date-time', description: 'Of the range, exclusive.' })
  to: string;
}

export class DiscardDeadLettersDto {
  @ApiProperty({ format: 'uuid', example: EXAMPLE_IDS.madeDestination })
  @IsId()
  destinationId: string;

  @OptionalReason('Only those with this reason.', 'http_4xx')
  reason?: string;
}

export class DiscardedDeadLettersDto {
  @ApiProperty({ type: 'integer', example: 12, description: 'Dead letters that were discarded.' })
  discarded: number;
}

/** Deliveries that are made again, and how far that is. */
export class ReplayDto {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty({ enum: ['dead_letters', 'events'] })
  kind: 'dead_letters' | 'events';

  @ApiProperty({ format: 'uuid' })
  destinationId: string;

  @ApiProperty({ enum: ['running', 'done', 'cancelled'] })
  state: 'running' | 'done' | 'cancelled';

  @ApiProperty({ type: 'integer', nullable: true, description: 'At the start; null when too many to count.' })
  total: number | null;

  @ApiProperty({ type: 'integer', description: 'Looked at so far.' })
  done: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description:
      'Made so far, of those that were looked at; null for a replay that began before they were counted.',
  })
  deliveries: number | null;

  @ApiProperty({ type: 'integer' })
  ratePerSecond: number;

  @ApiProperty({
    enum: DESTINATION_WAITS_FOR,
    nullable: true,
    example: 'destination_disabled',
    description:
      'What the deliveries that are made wait for, such as a destination that is disabled: they are kept for it. Null ' +
      'when they are sent.',
  })
  waitsFor: DestinationWaitsFor | null;

  @ApiProperty({ format: 'date-time' })
  createdAt: string;

  @ApiProperty({ format: 'date-time' })
  updatedAt: string;

  /** @param waitsFor undefined when the destination was deleted */
  static from(replay: Replay, waitsFor: DestinationWaitsFor | null | undefined): ReplayDto {
    return {
      id: replay.id,
      kind: replay.kind,
      destinationId: replay.destinationId,
      state: replay.state,
      total: replay.total,
      done: replay.done,
      deliveries: replay.deliveries,
      ratePerSecond: replay.ratePerSecond,
      waitsFor: waitsFor ?? null,
      createdAt: replay.createdAt.toISOString(),
      updatedAt: replay.updatedAt.toISOString(),
    };
  }
}
