import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsInt, IsOptional, IsUUID, Max, Min } from 'class-validator';
import { Optional } from '../../platform/http/optional';
import { OptionalText } from '../../platform/http/optional-members';
import { IsText } from '../../platform/http/text';
import { EXAMPLE_NAMES } from '../../platform/openapi/example-ids';

/** Four weeks. */
const MAX_SILENCE_MINUTES = 40_320;

/** What a client says about a new source. The write key is made by the service. */
export class CreateSourceDto {
  @ApiProperty({
    example: EXAMPLE_NAMES.source,
    minLength: 1,
    maxLength: 200,
  })
  @IsText(1, 200)
  name: string;

  @OptionalText(0, 2000, { example: 'Events of the shop front end.' })
  description?: string;

  @ApiPropertyOptional({ default: true, description: 'A disabled source is answered 401.' })
  @Optional()
  @IsBoolean()
  enabled?: boolean;

  @ApiPropertyOptional({
    type: 'integer',
    nullable: true,
    minimum: 1,
    maximum: MAX_SILENCE_MINUTES,
    example: 60,
    description:
      'Destinations that ask for the notice `source_silent` are told when the source has sent nothing for so many ' +
      'minutes. Never when left out or null.',
  })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_SILENCE_MINUTES)
  silentAfterMinutes?: number | null;

  @ApiPropertyOptional({
    type: String,
    format: 'uuid',
    nullable: true,
    example: null,
    description: 'The tracking plan that its events are checked by. None when left out or null.',
  })
  @IsOptional()
  @IsUUID()
  trackingPlanId?: string | null;
}
