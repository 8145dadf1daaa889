import { ApiProperty } from '@nestjs/swagger';
import { SignatureDto } from '../signature/signature.dto';
import type { Source } from '../source.entity';
import { SOURCE_KINDS, type SourceKind, UNTRANSFORMED, type Untransformed } from '../source-kind';

/** A source as the API returns it. */
export class SourceDto {
  @ApiProperty({ format: 'uuid', example: '019ab1c2-7d3e-7f00-8a11-3c4d5e6f7a8b' })
  id: string;

  @ApiProperty({ example: 'Web shop' })
  name: string;

  @ApiProperty({ enum: SOURCE_KINDS })
  kind: SourceKind;

  @ApiProperty({
    enum: UNTRANSFORMED,
    description: 'What becomes of requests of a webhook without a transformation.',
  })
  untransformed: Untransformed;

  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    example: null,
    description: 'The transformation that makes events of the requests of a webhook.',
  })
  transformationId: string | null;

  @ApiProperty({ example: 'Events of the shop front end.' })
  description: string;

  @ApiProperty()
  enabled: boolean;

  @ApiProperty({ type: 'integer', nullable: true, example: 60, description: 'Null: nobody is told.' })
  silentAfterMinutes: number | null;

  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    example: null,
    description: 'The tracking plan that its events are checked by.',
  })
  trackingPlanId: string | null;

  @ApiProperty({
    type: SignatureDto,
    nullable: true,
    description:
      'How requests of a webhook are signed, with masks for its secrets. Without secrets where they are sealed with a key ' +
      'that `CDP_ENCRYPTION_KEY` lacks.',
  })
  signature: SignatureDto | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'The user name of the Events API (Basic authentication, empty password); of a webhook the end of its address, ' +
      '`/v1/hooks/<write key>`. Null when it is sealed with a key that ' +
      '`CDP_ENCRYPTION_KEY` lacks: it still works, and `rotate-write-key` makes one that can be shown.',
    pattern: '^[0-9a-f]{64}$',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  })
  writeKey: string | null;

  @ApiProperty({
    format: 'date-time',
    type: String,
    nullable: true,
    example: null,
    description: 'After a rotation: until when the key before works too.',
  })
  previousWriteKeyExpiresAt: string | null;

  @ApiProperty({ type: 'integer', example: 1, description: 'Goes up with each change; also the `ETag`.' })
  version: number;

  @ApiProperty({ format: 'date-time', example: '2026-11-20T12:00:00.000Z' })
  createdAt: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-20T12:00:00.000Z' })
  updatedAt: string;

  static from(source: Source, writeKey: string | null, signature: SignatureDto | null): SourceDto {
    return {
      id: source.id,
      name: source.name,
      kind: source.kind,
      untransformed: source.untransformed,
      transformationId: source.transformationId,
      description: source.description,
      enabled: source.enabled,
      silentAfterMinutes: source.silentAfterMinutes,
      trackingPlanId: source.trackingPlanId,
      signature,
      writeKey,
      previousWriteKeyExpiresAt: source.previousWriteKeyExpiresAt?.toISOString() ?? null,
      version: source.version,
      createdAt: source.createdAt.toISOString(),
      updatedAt: source.updatedAt.toISOString(),
    };
  }
}
