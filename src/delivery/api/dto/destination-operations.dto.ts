import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';
import type { JsonObject } from '../../../events/customer-event';
import { Optional } from '../../../platform/http/optional';
import { type Health, HEALTH_STATES, type HealthState } from '../../stats/health-of';
import { AttemptLatencyDto } from './delivery.dto';

export const DEFAULT_OVERLAP_SECONDS = 24 * 60 * 60;
const MAX_OVERLAP_SECONDS = 30 * 24 * 60 * 60;

export class RotateSecretDto {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: MAX_OVERLAP_SECONDS,
    default: DEFAULT_OVERLAP_SECONDS,
    description:
      'For how many seconds `webhook-signature` has a signature of the old secret, too; `X-Service-Signature` is of ' +
      'the new one at once. Another change of the secret in that time ends it: requests are signed with the newest ' +
      'secret and the one before it.',
  })
  @Optional()
  @IsInt()
  @Min(0)
  @Max(MAX_OVERLAP_SECONDS)
  overlapSeconds?: number;
}

export class RotatedSecretDto {
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'The new secrets in full; they are not shown again.',
    example: { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
  })
  secrets: JsonObject;

  @ApiProperty({
    format: 'date-time',
    description: 'Until then `webhook-signature` has signatures of the old secrets as well.',
  })
  previousSecretsUntil: string;
}

/** How a destination is doing. */
export class DestinationHealthDto implements Health {
  @ApiProperty({
    enum: HEALTH_STATES,
    description:
      'degraded: more than a tenth of the tries of the last five minutes failed (`many_failures`), so that a few failures ' +
      'of a quiet destination are told until they are five minutes old or a test succeeds, and where none were made since, ' +
      'all of the last hour or day that had some; or deliveries wait because it is down or its connector is not ' +
      'installed; paused: by an operator; disabled: by the ' +
      'service, because the receiver said that it is gone. In all states events are kept for it.',
  })
  state: HealthState;

  @ApiProperty({ type: String, nullable: true, example: 'timeout' })
  reason: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Since when it is so; for healthy, since when it is enabled.',
  })
  since: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'When it is tried next.' })
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
export class DeliveryStatsDto {
  @ApiProperty({ type: 'integer', description: 'Tries that succeeded.' })
  delivered: number;

  @ApiProperty({ type: 'integer', description: 'Tries that failed, with another one to come.' })
  failed: number;

  @ApiProperty({ type: 'integer', description: 'Deliveries given up.' })
  dead: number;

  @ApiProperty({ type: Number, nullable: true, description: 'Succeeded tries of all tries, 0 to 1.' })
  successRate: number | null;

  @ApiProperty({
    type: LatencyPercentilesDto,
    description: 'Of tries that succeeded; right to about a tenth.',
  })
  latency: LatencyPercentilesDto;
}

export class DestinationStatsDto {
  @ApiProperty({ type: DestinationHealthDto })
  health: DestinationHealthDto;

  @ApiProperty({ type: 'integer', description: 'Deliveries that wait, counted up to 100,000.' })
  pending: number;

  @ApiProperty({ type: 'integer', description: 'Dead letters, counted up to 100,000.' })
  deadLetters: number;

  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'Age of the oldest delivery that waits, in seconds.',
  })
  oldestPendingSeconds: number | null;

  @ApiProperty({ type: DeliveryStatsDto })
  lastHour: DeliveryStatsDto;

  @ApiProperty({ type: DeliveryStatsDto })
  lastDay: DeliveryStatsDto;
}

/** What came of sending a sample event. */
export class DestinationTestDto {
  @ApiProperty()
  delivered: boolean;

  @ApiProperty({ type: 'integer', nullable: true })
  status: number | null;

  @ApiProperty({ type: String, nullable: true, example: 'address_not_allowed' })
  errorClass: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'The first KB of the answer.' })
  answer: string | null;

  @ApiProperty({ type: AttemptLatencyDto })
  latency: AttemptLatencyDto;

  @ApiProperty({ type: 'object', additionalProperties: true, description: 'The event that was sent.' })
  event: JsonObject;
}
