import { ApiProperty, OmitType } from '@nestjs/swagger';
import type { Transformation } from '../../transformation.entity';
import type { VersionEntry } from '../../../platform/database/resources/versions';
import type { TransformationVersion } from '../../transformation-versions';

/** A transformation as the API returns it. */
export class TransformationDto {
  @ApiProperty({ format: 'uuid', example: '019ab1c2-7d3e-7f00-8a11-3c4d5e6f7a8b' })
  id: string;

  @ApiProperty({ example: 'Orders of the north' })
  name: string;

  @ApiProperty({ example: 'As the order service wants them.' })
  description: string;

  @ApiProperty({ example: 'export function transform(event) {\n  return { ...event, shop: "north" };\n}\n' })
  code: string;

  @ApiProperty({ type: 'integer', example: 1, description: 'Goes up with each change; also the `ETag`.' })
  version: number;

  @ApiProperty({ format: 'date-time', example: '2026-11-20T12:00:00.000Z' })
  createdAt: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-20T12:00:00.000Z' })
  updatedAt: string;

  static from(transformation: Transformation): TransformationDto {
    const { id, name, description, code, version, createdAt, updatedAt } = transformation;
    return {
      id,
      name,
      description,
      code,
      version,
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    };
  }
}

/** A transformation in a listing. */
export class TransformationSummaryDto extends OmitType(TransformationDto, ['code']) {
  static of(transformation: Transformation): TransformationSummaryDto {
    const { code: _, ...rest } = TransformationDto.from(transformation);
    return rest;
  }
}

/** That there was a version. */
export class TransformationVersionSummaryDto {
  @ApiProperty({ type: 'integer', example: 1 })
  version: number;

  @ApiProperty({ format: 'date-time', example: '2026-11-20T12:00:00.000Z' })
  createdAt: string;

  static of({ version, createdAt }: VersionEntry): TransformationVersionSummaryDto {
    return { version, createdAt: createdAt.toISOString() };
  }
}

/** A transformation as it was in a version. */
export class TransformationVersionDto extends OmitType(TransformationDto, ['id', 'updatedAt']) {
  static from({
    version,
    createdAt,
    name,
    description,
    code,
  }: TransformationVersion): TransformationVersionDto {
    return { name, description, code, version, createdAt: createdAt.toISOString() };
  }
}
