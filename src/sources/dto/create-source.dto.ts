import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsBoolean, IsInt, IsObject, IsOptional, Max, Min, ValidateNested } from 'class-validator';
import { IsId } from '../../platform/http/input/ids';
import { Optional } from '../../platform/http/input/optional';
import { OptionalOneOf, OptionalText } from '../../platform/http/input/optional-members';
import { IsText } from '../../platform/http/input/text';
import { EXAMPLE_NAMES } from '../../platform/openapi/example-ids';
import { SignatureDto } from '../signature/signature.dto';
import { SOURCE_KINDS, type SourceKind, UNTRANSFORMED, type Untransformed } from '../source-kind';

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

  @OptionalOneOf(SOURCE_KINDS, {
    default: 'sdk',
    description:
      '`sdk`: SDKs send events with the write key. `webhook`: others post what they please to `/v1/hooks/<write key>`, see ' +
      'docs/webhook-sources.md. It never changes.',
  })
  kind?: SourceKind;

  @OptionalOneOf(UNTRANSFORMED, {
    default: 'keep',
    description:
      'Of the kind `webhook`: what becomes of its requests while it has no transformation. `keep`: they are kept for `CDP_REJECTED_RETENTION_DAYS`, see ' +
      '`GET /hook-requests`. `track`: each is a track event with its body as properties, of the anonymous `webhook:<id of the ' +
      'source>`.',
  })
  untransformed?: Untransformed;

  @ApiPropertyOptional({
    type: String,
    format: 'uuid',
    nullable: true,
    example: null,
    description:
      'Of the kind `webhook`: id of the transformation whose newest version makes events of its requests. None when left ' +
      'out or null.',
  })
  @IsOptional()
  @IsId()
  transformationId?: string | null;

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
  @IsId()
  trackingPlanId?: string | null;

  @ApiPropertyOptional({
    type: SignatureDto,
    nullable: true,
    description:
      'Of the kind `webhook`: how its requests are signed. Not at all when left out or null: then whoever knows the address ' +
      'is believed.',
  })
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => SignatureDto)
  signature?: SignatureDto | null;
}
