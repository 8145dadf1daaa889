import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ProblemDetailDto, ProblemDto } from '../../platform/openapi/problem.dto';

/** All events of the request are stored. */
export class IntakeAnswerDto {
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

  @ApiProperty({ type: () => [RejectionDto] })
  rejected: RejectionDto[];
}
