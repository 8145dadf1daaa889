import { ApiProperty } from '@nestjs/swagger';
import { mergeSecrets } from '../../connectors/secret-fields';
import type { JsonObject } from '../../events/customer-event';
import { NOTICES } from '../destination-notices';
import type { Destination } from '../destination.entity';
import { OrderDto, RateLimitDto } from './create-destination.dto';
import { maskMapping } from '../mapping/seal-mapping';

/** A destination as the API returns it. */
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
    description:
      'Secrets are masked. A signing secret is answered in full by what makes it: the create and `rotate-secret`.',
    example: { url: 'https://orders.example.com/events', secret: '****9f3b' },
  })
  config: JsonObject;

  @ApiProperty()
  enabled: boolean;

  @ApiProperty({
    type: String,
    nullable: true,
    example: null,
    description:
      'Why the service itself disabled the destination: `gone` (the receiver answered 410), ' +
      '`transformation_failed` (for most of its events for five minutes); null when it did not, and from when it is ' +
      'enabled on.',
  })
  disabledReason: string | null;

  @ApiProperty({
    description:
      'False when the process that answers has no connector of its `type` (any more). What its deliveries wait for, ' +
      'which is up to the workers, its statistics say.',
  })
  connectorInstalled: boolean;

  @ApiProperty({
    description:
      'False when a secret is sealed with a key that `CDP_ENCRYPTION_KEY` of the process that answers lacks. What its ' +
      'deliveries wait for, which is up to the workers, its statistics say.',
  })
  secretsReadable: boolean;

  @ApiProperty({ type: [String], nullable: true, description: 'Ids of sources; null is all.' })
  sources: string[] | null;

  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  filter: JsonObject | null;

  @ApiProperty({ type: String, format: 'uuid', nullable: true, example: null })
  transformationId: string | null;

  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  mapping: JsonObject | null;

  @ApiProperty({ enum: NOTICES, isArray: true })
  notices: string[];

  @ApiProperty({
    type: [String],
    nullable: true,
    example: null,
    description: 'Names of the computed traits that `trait_changed` tells of; null is all.',
  })
  noticeTraits: string[] | null;

  @ApiProperty({ type: RateLimitDto, nullable: true, description: 'Null is no limit.' })
  rateLimit: RateLimitDto | null;

  @ApiProperty({ type: OrderDto, nullable: true, description: 'Null is no order.' })
  order: OrderDto | null;

  @ApiProperty({ type: 'integer', example: 1, description: 'Goes up with each change; also the `ETag`.' })
  version: number;

  @ApiProperty({ format: 'date-time', example: '2026-11-20T12:00:00.000Z' })
  createdAt: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-20T12:00:00.000Z' })
  updatedAt: string;

  /** @param shownSecrets the secrets as the reader may see them: masked, or in full right after the create. */
  static from(
    destination: Destination,
    shownSecrets: JsonObject,
    { connectorInstalled, secretsReadable }: Pick<DestinationDto, 'connectorInstalled' | 'secretsReadable'>,
  ): DestinationDto {
    return {
      id: destination.id,
      name: destination.name,
      type: destination.type,
      config: mergeSecrets(destination.config, shownSecrets),
      enabled: destination.enabled,
      disabledReason: destination.enabled ? null : (destination.disabledReason ?? null),
      connectorInstalled,
      secretsReadable,
      sources: destination.sources,
      filter: destination.filter,
      transformationId: destination.transformationId,
      mapping: destination.mapping === null ? null : maskMapping(destination.mapping),
      notices: destination.notices,
      noticeTraits: destination.noticeTraits,
      rateLimit: destination.rateLimit,
      order: destination.order,
      version: destination.version,
      createdAt: destination.createdAt.toISOString(),
      updatedAt: destination.updatedAt.toISOString(),
    };
  }
}
