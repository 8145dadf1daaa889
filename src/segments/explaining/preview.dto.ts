import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import { Optional } from '../../platform/http/input/optional';
import { OptionalInteger } from '../../platform/http/input/optional-members';
import { DEFAULT_SAMPLE, MAX_SAMPLE } from './preview-people';

/** How much is asked of a preview. */
export class PreviewSizeDto {
  @OptionalInteger(0, MAX_SAMPLE, { default: DEFAULT_SAMPLE, description: 'People to answer.' })
  sample?: number;

  @ApiPropertyOptional({
    type: Boolean,
    default: false,
    description: 'Count everybody, however long that takes: 20 s at most.',
  })
  @Optional()
  @IsBoolean()
  exact?: boolean;
}

/** How many people a preview has found. */
export class PreviewCountDto {
  @ApiProperty({ type: Number, description: 'Exact where it is not `estimated`.' })
  count: number;

  @ApiProperty({
    type: Boolean,
    description:
      'Whether only some people were looked at, because there are many. `exact` counts all of them.',
  })
  estimated: boolean;

  @ApiProperty({
    type: Number,
    description: 'With a likelihood of 95 % there are no fewer. The `count` where it is not `estimated`.',
  })
  low: number;

  @ApiProperty({ type: Number, description: 'With a likelihood of 95 % there are no more, as `low`.' })
  high: number;
}
