import { ApiProperty } from '@nestjs/swagger';
import { LatencyPercentilesDto } from '../../delivery/api/dto/destination-stats.dto';
import { SPAN_NAMES, type SpanName } from '../../delivery/stats/span-name';
import { OptionalOneOf } from '../../platform/http/input/optional-members';

const COUNT = { type: 'integer', minimum: 0 } as const;
/** Which time to look at. */
export class StatsQueryDto {
  @OptionalOneOf(SPAN_NAMES, { default: 'hour' })
  span?: SpanName;
}

class EventCountsDto {
  @ApiProperty({ ...COUNT, description: 'Stored, those too that were released from quarantine.' })
  accepted: number;

  @ApiProperty({ ...COUNT, description: 'Known already, by their messageId.' })
  duplicate: number;

  @ApiProperty(COUNT)
  rejected: number;

  @ApiProperty({
    ...COUNT,
    description:
      'Quarantined by tracking plans when they were sent. One that is released counts as accepted as well, at that time.',
  })
  quarantined: number;
}

class EventTotalsDto extends EventCountsDto {
  @ApiProperty({
    ...COUNT,
    description: 'What waits to be processed now, in rows of the inbox; counted up to 10,000.',
  })
  inboxRows: number;

  @ApiProperty({ description: 'How long the oldest of them has waited, in seconds.', example: 0.2 })
  inboxOldestSeconds: number;
}

/** What tracking plans keep apart. */
export class StandingQuarantineDto {
  @ApiProperty({
    ...COUNT,
    description: 'Events that are neither released nor discarded yet, counted up to `countedUpTo`.',
  })
  events: number;

  @ApiProperty({ ...COUNT, example: 1_000, description: 'Where counting ends: as many are “or more”.' })
  countedUpTo: number;
}

/** The events of a source. */
export class SourceTotalsDto extends EventCountsDto {
  @ApiProperty({ format: 'uuid' })
  sourceId: string;
}

/** The tries of all destinations. */
export class DeliveryTotalsDto {
  @ApiProperty(COUNT)
  delivered: number;

  @ApiProperty({ ...COUNT, description: 'Tries after which there will be another one.' })
  failed: number;

  @ApiProperty({ ...COUNT, description: 'Became dead letters.' })
  dead: number;

  @ApiProperty({ type: LatencyPercentilesDto })
  latency: LatencyPercentilesDto;
}

/** What was counted in a minute, or in a quarter of an hour. */
export class StatsStepDto extends EventCountsDto {
  @ApiProperty({ format: 'date-time', description: 'When it begins.' })
  at: string;

  @ApiProperty(COUNT)
  delivered: number;

  @ApiProperty(COUNT)
  failed: number;

  @ApiProperty(COUNT)
  dead: number;
}

/** How the service is doing. */
export class StatsDto {
  @ApiProperty({ enum: SPAN_NAMES })
  span: SpanName;

  @ApiProperty({ type: EventTotalsDto })
  events: EventTotalsDto;

  @ApiProperty({ type: [SourceTotalsDto], description: 'Sources that sent something.' })
  sources: SourceTotalsDto[];

  @ApiProperty({ type: StandingQuarantineDto })
  quarantine: StandingQuarantineDto;

  @ApiProperty({ type: DeliveryTotalsDto })
  deliveries: DeliveryTotalsDto;

  @ApiProperty({ type: [StatsStepDto], description: 'The oldest first; the last one is under way.' })
  steps: StatsStepDto[];
}
