import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsObject, IsOptional } from 'class-validator';
import type { JsonObject } from '../../events/customer-event';
import { IsIds } from '../../platform/http/input/ids';
import { OptionalInteger } from '../../platform/http/input/optional-members';

export const DEFAULT_LAST = 100;

/** A filter to try out. */
export class FilterPreviewRequestDto {
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description: "The destination's own filter when left out.",
    example: { events: ['Order *'] },
  })
  @IsOptional()
  @IsObject()
  filter?: JsonObject | null;

  @ApiPropertyOptional({
    type: [String],
    nullable: true,
    description: "The destination's own when left out.",
  })
  @IsOptional()
  @IsIds()
  sources?: string[] | null;

  @OptionalInteger(1, 1_000, {
    default: DEFAULT_LAST,
    description: 'How many of the newest events; fewer are looked at when they have more than 4 MB.',
  })
  last?: number;
}

export class PreviewedEventDto {
  @ApiProperty({ example: 'track' })
  type: string;

  @ApiProperty({ example: 'Order Completed' })
  event: string;

  @ApiProperty()
  messageId: string;

  @ApiPropertyOptional()
  userId?: string;

  @ApiProperty({ format: 'date-time' })
  timestamp: string;

  @ApiProperty()
  passes: boolean;
}

export class FilterPreviewDto {
  @ApiProperty({ description: 'How many events were held against the filter.' })
  considered: number;

  @ApiProperty({ description: 'How many of them would be delivered.' })
  passed: number;

  @ApiProperty({ type: [PreviewedEventDto], description: 'Newest first.' })
  events: PreviewedEventDto[];
}
