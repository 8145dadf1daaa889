import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsObject } from 'class-validator';
import type { JsonObject } from '../../events/customer-event';
import { Optional } from '../../platform/http/optional';
import { IsText } from '../../platform/http/text';

/** What a client says about a new destination. */
export class CreateDestinationDto {
  @ApiProperty({
    example: 'Order service',
    minLength: 1,
    maxLength: 200,
    description: 'Unique, whatever the case of its letters.',
  })
  @IsText(1, 200)
  name: string;

  @ApiProperty({ example: 'webhook', description: 'The id of an installed connector.' })
  @IsText(1, 200)
  type: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'The settings of the connector. A webhook without a `secret` gets one from the service.',
    example: { url: 'https://orders.example.com/events' },
  })
  @IsObject()
  config: JsonObject;

  @ApiPropertyOptional({ default: true, description: 'A disabled destination gets no events.' })
  @Optional()
  @IsBoolean()
  enabled?: boolean;
}
