import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ProblemDetailDto, ProblemDto } from '../../platform/openapi/problem.dto';

/** Something in which an event differs from the tracking plan of its source. */
export class WarningDto {
  @ApiProperty({ type: 'integer', example: 0, description: 'Position in the batch, from 0.' })
  index: number;

  @ApiProperty({ example: '622bc5a3-d93e-48e4-b85d-d2ad521127fc' })
  messageId: string;

  @ApiProperty({
    enum: ['schema_violation', 'unplanned_event', 'unplanned_property'],
    example: 'schema_violation',
  })
  code: string;

  @ApiProperty({ example: 'batch[0].properties.total' })
  path: string;

  @ApiProperty({ example: 'track Order Completed', description: 'Of the plan.' })
  rule: string;

  @ApiProperty({ example: 'It must be number.' })
  message: string;
}

/** What a tracking plan has to say of the events of a request. */
class PlanAnswerDto {
  @ApiPropertyOptional({
    type: 'integer',
    example: 1,
    description: 'Events that the tracking plan of the source keeps apart; left out when there are none.',
  })
  quarantined?: number;

  @ApiPropertyOptional({
    type: () => [WarningDto],
    description:
      'Where events that were taken differ from the tracking plan of the source: the first hundred; left out when there are none.',
  })
  warnings?: WarningDto[];
}

/** All events of the request are stored. */
export class IntakeAnswerDto extends PlanAnswerDto {
  @ApiProperty({ enum: [true] })
  success: true;

  @ApiProperty({ type: 'integer', example: 2, description: 'Events that were stored now.' })
  accepted: number;

  @ApiProperty({ type: 'integer', example: 0, description: 'Events that had been stored before.' })
  duplicates: number;
}

/** One event that was not accepted. */
export class RejectionDto {
  @ApiProperty({ type: 'integer', example: 1, description: 'Position in the batch, from 0.' })
  index: number;

  @ApiPropertyOptional({ example: '622bc5a3-d93e-48e4-b85d-d2ad521127fc' })
  messageId?: string;

  @ApiProperty({ example: 'missing_event_name', description: 'Of the first problem.' })
  code: string;

  @ApiProperty({ example: 'batch[1].event' })
  path: string;

  @ApiProperty({ example: 'A track event needs its name in `event`.' })
  message: string;

  @ApiProperty({ type: () => [ProblemDetailDto], description: 'All problems of this event.' })
  problems: ProblemDetailDto[];
}

/** Some events are not valid. The others are stored, unless the request was strict. */
export class InvalidEventsDto extends ProblemDto {
  @ApiProperty({ enum: [false] })
  success: false;

  @ApiProperty({ type: 'integer', example: 1 })
  accepted: number;

  @ApiProperty({ type: 'integer', example: 0 })
  duplicates: number;

  @ApiProperty({
    type: () => [RejectionDto],
    description:
      'Every event that is not valid, with all of its problems; `errors` has the first hundred of these.',
  })
  rejected: RejectionDto[];

  @ApiPropertyOptional({ type: 'integer', description: 'As in an answer of 200.' })
  quarantined?: number;

  @ApiPropertyOptional({ type: () => [WarningDto], description: 'As in an answer of 200.' })
  warnings?: WarningDto[];
}
