import { ApiProperty, ApiPropertyOptional, PickType } from '@nestjs/swagger';
import { IsObject, IsOptional } from 'class-validator';
import type { JsonObject, JsonValue } from '../../events/customer-event';
import { EventHeadDto } from '../../events/event-head.dto';
import { OptionalInteger } from '../../platform/http/input/optional-members';
import { CreateTransformationDto } from '../../transformations/api/dto/create-transformation.dto';
import { ANY_JSON } from '../../platform/openapi/any-json';
import type { SandboxFailure } from '../../transformations/sandbox/sandbox-result';

export const MAX_TRIED = 100;
const CHANGE_KINDS = ['added', 'removed', 'changed'] as const;
const FAILURE_KINDS = ['threw', 'timed_out', 'out_of_memory', 'bad_result'] as const;
const ANY_OBJECT = { type: 'object', additionalProperties: true } as const;

/** A code to try out. */
export class TestTransformationDto extends PickType(CreateTransformationDto, ['code']) {
  @OptionalInteger(1, MAX_TRIED, {
    default: MAX_TRIED,
    description:
      'How many events. With a filter they are the newest that pass it, of the last 1,000 that were accepted.',
  })
  last?: number;

  @ApiPropertyOptional({
    ...ANY_OBJECT,
    nullable: true,
    description: 'As destinations have it; null, or left out: all events.',
    example: { types: ['track'] },
  })
  @IsOptional()
  @IsObject()
  filter?: JsonObject | null;
}

export class TrialChangeDto {
  @ApiProperty({ enum: CHANGE_KINDS })
  kind: (typeof CHANGE_KINDS)[number];

  @ApiProperty({ example: '/properties/total', description: 'JSON pointer (RFC 6901).' })
  path: string;

  @ApiPropertyOptional({ description: 'Any JSON; left out when it was added.', ...ANY_JSON })
  before?: JsonValue;

  @ApiPropertyOptional({ description: 'Any JSON; left out when it was removed.', ...ANY_JSON })
  after?: JsonValue;
}

export class TransformedEventDto {
  @ApiProperty({ ...ANY_OBJECT, description: 'What would be sent, before the mapping.' })
  event: JsonObject;

  @ApiProperty({
    type: [TrialChangeDto],
    description: 'In what it is different from the event before; 200 changes at most.',
  })
  changes: TrialChangeDto[];
}

export class TrialErrorDto {
  @ApiProperty({ enum: FAILURE_KINDS })
  kind: SandboxFailure['kind'];

  @ApiProperty({ example: "TypeError: cannot read property 'total' of undefined" })
  message: string;

  @ApiPropertyOptional({ type: 'integer', description: 'In the code, from 1, where it is known.' })
  line?: number;
}

/** An event, and what the code makes of it. */
export class TriedEventDto extends EventHeadDto {
  @ApiProperty({ ...ANY_OBJECT, description: 'The event as it is stored.' })
  before: JsonObject;

  @ApiProperty({
    type: [TransformedEventDto],
    description: 'One, several, or none: then nothing would be sent, or there is an `error`.',
  })
  after: TransformedEventDto[];

  @ApiPropertyOptional({ type: TrialErrorDto, description: 'Why the delivery would be a dead letter.' })
  error?: TrialErrorDto;
}

export class TransformationTrialDto {
  @ApiProperty({ description: 'How many of the newest events were held against the filter.' })
  considered: number;

  @ApiProperty({
    description:
      'Whether all that were to be tried are in the answer. It ends after ten seconds, and with some 4 MB.',
  })
  complete: boolean;

  @ApiProperty({ type: [TriedEventDto], description: 'Newest first.' })
  events: TriedEventDto[];
}
