import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import type { JsonObject } from '../../events/customer-event';
import { Optional } from '../../platform/http/input/optional';
import { IsId } from '../../platform/http/input/ids';
import { OptionalIds } from '../../platform/http/input/optional-members';
import { ORDER_DEFAULTS } from '../complete-order';
import { NOTICES } from '../destination-notices';
import { IsText } from '../../platform/http/input/text';
import { EXAMPLE_IDS, EXAMPLE_NAMES } from '../../platform/openapi/example-ids';

/** How much a destination gets at most. */
export class RateLimitDto {
  @ApiProperty({
    example: 10,
    minimum: 0.1,
    maximum: 10_000,
    description:
      'Requests per second, all workers together, retries included. Half a second of it may come at once.',
  })
  @IsNumber({}, { message: '$property must be a number' })
  @Min(0.1)
  @Max(10_000)
  perSecond: number;
}

/** In what order a destination gets events. */
export class OrderDto {
  @ApiProperty({
    enum: ['person'],
    description: 'The events of one person one after the other, as they were accepted.',
  })
  @IsIn(['person'])
  by: 'person';

  @ApiPropertyOptional({
    type: 'integer',
    default: ORDER_DEFAULTS.maxWaitSeconds,
    minimum: 1,
    maximum: 604_800,
    description:
      'How long the later events of a person wait for one that failed. While the destination is down or paused does not ' +
      'count.',
  })
  @Optional()
  @IsInt()
  @Min(1)
  @Max(604_800)
  maxWaitSeconds?: number;

  @ApiPropertyOptional({
    type: 'integer',
    default: ORDER_DEFAULTS.maxWaiting,
    minimum: 1,
    maximum: 10_000,
    description: 'How many of them wait at most.',
  })
  @Optional()
  @IsInt()
  @Min(1)
  @Max(10_000)
  maxWaiting?: number;

  @ApiPropertyOptional({
    enum: ['pass', 'dead_letter'],
    default: ORDER_DEFAULTS.afterwards,
    description:
      'What happens then: `pass` sends the later ones, and goes on with the tries of the one that failed (its `passedAt` ' +
      'says since when); `dead_letter` makes it a dead letter, with the reason `order_limit`.',
  })
  @Optional()
  @IsIn(['pass', 'dead_letter'])
  afterwards?: 'pass' | 'dead_letter';
}

/** What a client says about a new destination. */
export class CreateDestinationDto {
  @ApiProperty({
    example: EXAMPLE_NAMES.destination,
    minLength: 1,
    maxLength: 200,
  })
  @IsText(1, 200)
  name: string;

  @ApiProperty({ example: 'webhook', description: 'The id of an installed connector.' })
  @IsText(1, 200)
  type: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description:
      'The settings of the connector, as `GET /connectors` describes them. A webhook without a `secret` gets one from ' +
      'the service. What else it may have: `method` (POST, PUT, PATCH), `headers` such as ' +
      '`{"X-Gateway-Key": "a-key-of-the-gateway"}`, `auth` such as `{"type": "basic", "username": "cdp", "password": "…"}`, ' +
      '`{"type": "bearer", "token": "…"}`, `{"type": "apiKey", "header": "X-Api-Key", "value": "…"}` or ' +
      '`{"type": "oauth2ClientCredentials", "tokenUrl": "…", "clientId": "cdp", "clientSecret": "…"}`, ' +
      '`signatureHeader`; `tls` such as `{"ca": "…", "cert": "…", "key": "…"}`, all PEM; `envelope` (event, cloudevents). Its path may have fields of the event: `/people/{userId}`. See docs/webhooks.md.',
    example: { url: EXAMPLE_IDS.destinationUrl },
  })
  @IsObject()
  config: JsonObject;

  @ApiPropertyOptional({
    default: true,
    description: 'While it is false nothing is sent; events are kept and sent when it is true again.',
  })
  @Optional()
  @IsBoolean()
  enabled?: boolean;

  @OptionalIds({
    example: null,
    description: 'Ids of sources: only their events are delivered. All when left out or null.',
  })
  sources?: string[] | null;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description:
      'Which events are delivered: `types` (`[]` for none), `events` (names, `*` stands for any characters), `conditions` on any path of the event, and on `computed.<name>` of the person, with the operators of segments (`match`: all or any of them), and `segments` (ids: only people in one of them). All parts must hold. See docs/routing.md.',
    example: {
      types: ['track'],
      events: ['Order *'],
      conditions: [{ field: 'properties.revenue', operator: 'gte', value: 5 }],
    },
  })
  @IsOptional()
  @IsObject()
  filter?: JsonObject | null;

  @ApiPropertyOptional({
    type: String,
    format: 'uuid',
    nullable: true,
    example: null,
    description:
      'Id of the transformation whose newest version changes events before `mapping` does. None when left out or null. ' +
      'Not for destinations that get batches.',
  })
  @IsOptional()
  @IsId()
  transformationId?: string | null;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description:
      'How events are changed before they are signed and sent, in this order: `pick`, `drop`, `hash`, `rename`, `constant`. The event as received when left out or null. See docs/routing.md.',
    example: { drop: ['context.ip'], hash: [{ path: 'traits.email' }] },
  })
  @IsOptional()
  @IsObject()
  mapping?: JsonObject | null;

  @ApiPropertyOptional({
    enum: NOTICES,
    isArray: true,
    description:
      'What else it is told. Of people: when they enter or leave segments, when a computed trait has another value, and when a person is deleted. Of the service ' +
      'itself, in the form of `ServiceNoticeDto`: everything else, once for each change, see docs/notices.md.',
    default: [],
  })
  @Optional()
  @IsArray()
  @ArrayUnique()
  @IsIn(NOTICES, { each: true })
  notices?: string[];

  @ApiPropertyOptional({
    type: [String],
    nullable: true,
    maxItems: 100,
    example: null,
    description:
      'With `trait_changed` among the `notices`: names of the computed traits whose changes it is told of. Of all, those that ' +
      'are made later too, when left out or null.',
  })
  @IsOptional()
  @ArrayNotEmpty()
  @ArrayMaxSize(100)
  @ArrayUnique()
  @IsString({ each: true })
  @MaxLength(100, { each: true })
  noticeTraits?: string[] | null;

  @ApiPropertyOptional({
    type: RateLimitDto,
    nullable: true,
    description:
      'What comes faster waits, without being tried, and holds up no other destination. No limit when left out or ' +
      'null. Not for destinations that get batches.',
  })
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => RateLimitDto)
  rateLimit?: RateLimitDto | null;

  @ApiPropertyOptional({
    type: OrderDto,
    nullable: true,
    description:
      'Sends the events of each person in the order of their acceptance: while one waits for its next try, those behind ' +
      'it wait, and nobody else does. A person gets one request at a time. No order when left out or null. Not for ' +
      'destinations that get batches. See docs/routing.md.',
  })
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => OrderDto)
  order?: OrderDto | null;
}
