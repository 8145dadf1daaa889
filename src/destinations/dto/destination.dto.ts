import { ApiProperty } from '@nestjs/swagger';
import type { JsonObject } from '../../events/customer-event';
import type { Destination } from '../destination.entity';

/** A destination as the API answers it. */
export class DestinationDto {
  @ApiProperty({ format: 'uuid', example: '019ab1c2-7d3e-7f00-8a11-3c4d5e6f7a8b' })
  id: string;

  @ApiProperty({ example: 'Order service' })
  name: string;

  @ApiProperty({ example: 'webhook' })
  type: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'Secrets are answered in full by the create only, and masked everywhere else.',
    example: { url: 'https://orders.example.com/events', secret: '****9f3b' },
  })
  config: JsonObject;

  @ApiProperty()
  enabled: boolean;

  @ApiProperty({ format: 'date-time', example: '2026-11-20T12:00:00.000Z' })
  createdAt: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-20T12:00:00.000Z' })
  updatedAt: string;

  /** @param shownSecrets the secrets as the reader may see them: masked, or in full right after the create. */
  static from(destination: Destination, shownSecrets: JsonObject): DestinationDto {
    const { id, name, type, config, enabled, createdAt, updatedAt } = destination;
    return {
      id,
      name,
      type,
      config: { ...config, ...shownSecrets },
      enabled,
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    };
  }
}
