import { ApiProperty } from '@nestjs/swagger';
import { AUDITED_RESOURCES, type AuditedResource } from './audited-actions';

/** One change: who, when, what, before and after. */
export class AuditEntryDto {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty({ format: 'date-time' })
  at: string;

  @ApiProperty({ example: 'ada@example.com', description: 'The subject of the token, or its client.' })
  actor: string;

  @ApiProperty({
    enum: ['subject', 'client', 'unknown', 'service'],
    nullable: true,
    description:
      'What `actor` is the name of: `subject` (the claim `sub`), `client` (`client_id` or `azp`). Null in old entries.',
  })
  actorKind: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'https://login.example.com/',
    description: 'Who vouches for `actor`: the issuer of the token.',
  })
  actorIssuer: string | null;

  @ApiProperty({ description: 'The `X-Request-Id` of the request that made the change.' })
  requestId: string;

  @ApiProperty({ example: 'update' })
  action: string;

  @ApiProperty({ enum: AUDITED_RESOURCES, example: 'destination' })
  resource: AuditedResource;

  @ApiProperty({ example: '019ab1c2-7d3e-7f00-8a11-3c4d5e6f7a8b' })
  resourceId: string;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'Warehouse',
    description:
      'What it was called after the change, also where it is deleted since. Null for what has no name.',
  })
  resourceName: string | null;

  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true, description: 'Secrets masked.' })
  before: object | null;

  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true, description: 'Secrets masked.' })
  after: object | null;
}
