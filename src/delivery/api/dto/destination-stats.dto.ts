import { ApiProperty, OmitType } from '@nestjs/swagger';
import { OptionalOneOf } from '../../../platform/http/input/optional-members';
import { PageLimit, PageQueryDto } from '../../../platform/http/resources/page';
import { type Health, HEALTH_REASONS, HEALTH_STATES, type HealthState } from '../../stats/health-of';
import { SPAN_NAMES, type SpanName } from '../../stats/span-name';
import type { TrySummary } from '../../stats/summarize-tries';

/** Each of them is looked up. */
const MAX_LISTED = 100;
const REASONS = HEALTH_REASONS.map((reason) => `\`${reason}\``).join(', ');

/** How a destination is doing. */
export class DestinationHealthDto implements Health {
  @ApiProperty({
    enum: HEALTH_STATES,
    description:
      'degraded: more than a tenth of the tries of the last five minutes failed (`many_failures`), or where none were made ' +
      'since, of the last five minutes within a day that had some, when none succeeded in the newest of these minutes: it ' +
      'stays so until a try or a test succeeds, not because time passes (of tries before it was resumed, or was found to ' +
      'be back, only where there were none since); or deliveries wait because it is blocked (`connector_not_installed`, ' +
      '`secrets_not_readable`) or down (any other reason: its breaker is open, and nothing but probes is sent); paused: by an operator; disabled: by the ' +
      'service, because the receiver said that it is gone. In all states events are kept for it.',
  })
  state: HealthState;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'timeout',
    description: `The error class that tries end with, such as \`timeout\`; otherwise ${REASONS}.`,
  })
  reason: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Since when it is so; for healthy, since when it is enabled.',
  })
  since: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description:
      'When it is probed next, with one delivery: of one that is down a second after it was found to be, then ever later, up ' +
      'to every 30 s (15 s in development), or when the receiver asked for it (`Retry-After`), two minutes at most. Null ' +
      'when it is not down.',
  })
  nextProbeAt: string | null;
}

export class LatencyPercentilesDto {
  @ApiProperty({ type: Number, nullable: true })
  p50Ms: number | null;

  @ApiProperty({ type: Number, nullable: true })
  p95Ms: number | null;

  @ApiProperty({ type: Number, nullable: true })
  p99Ms: number | null;
}

/** What happened within a time. */
export class DeliveryStatsDto implements TrySummary {
  @ApiProperty({ type: 'integer', description: 'Tries that succeeded.' })
  delivered: number;

  @ApiProperty({ type: 'integer', description: 'Tries that failed, with another one to come.' })
  failed: number;

  @ApiProperty({ type: 'integer', description: 'Deliveries that became dead letters.' })
  dead: number;

  @ApiProperty({ type: Number, nullable: true, description: 'Succeeded tries of all tries, 0 to 1.' })
  successRate: number | null;

  @ApiProperty({
    type: LatencyPercentilesDto,
    description: 'Of tries that succeeded; right to about a tenth.',
  })
  latency: LatencyPercentilesDto;
}

/** How a destination is, and what waits for it. */
class StandingDto {
  @ApiProperty({ type: DestinationHealthDto })
  health: DestinationHealthDto;

  @ApiProperty({ type: 'integer', description: 'Deliveries that wait, counted up to `countedUpTo`.' })
  pending: number;

  @ApiProperty({ type: 'integer', description: 'Dead letters, counted up to `countedUpTo`.' })
  deadLetters: number;

  @ApiProperty({
    type: 'integer',
    example: 100_000,
    description:
      'Where counting ends: at 100,000; in a list at 10,000 for each of 2 to 10 destinations, and at 1,000 for each of more. A count as high as that is “or more”.',
  })
  countedUpTo: number;

  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'Age of the oldest delivery that waits, in seconds.',
  })
  oldestPendingSeconds: number | null;

  @ApiProperty({
    type: Number,
    nullable: true,
    description:
      'How long the delivery, or the batch, that is due first has been due, in seconds: it is late when its destination is ' +
      'healthy. Null when nothing is due, such as what waits for its next try.',
  })
  overdueSeconds: number | null;
}

export class DestinationStatsDto extends StandingDto {
  @ApiProperty({ type: DeliveryStatsDto })
  lastHour: DeliveryStatsDto;

  @ApiProperty({ type: DeliveryStatsDto })
  lastDay: DeliveryStatsDto;
}

/** Which destinations, and which time. */
export class DestinationsStatsQueryDto extends OmitType(PageQueryDto, ['limit']) {
  @PageLimit(MAX_LISTED, { default: MAX_LISTED })
  limit = MAX_LISTED;

  @OptionalOneOf(SPAN_NAMES, { default: 'hour', description: 'The time that `tries` are of.' })
  span?: SpanName;
}

/** How one of many destinations is doing. */
export class ListedStatsDto extends StandingDto {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty()
  name: string;

  @ApiProperty({ example: 'webhook' })
  type: string;

  @ApiProperty({ type: DeliveryStatsDto })
  tries: DeliveryStatsDto;
}
