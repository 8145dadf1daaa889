import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { Optional } from '../../platform/http/optional';

const FLAGS = ['true', 'false'] as const;
export const FORMATS = ['json', 'yaml'] as const;

/** How a document is applied. */
export class ApplyQueryDto {
  @ApiPropertyOptional({ enum: FLAGS, default: 'false', description: 'Only says what would change.' })
  @Optional()
  @IsIn(FLAGS)
  dryRun?: (typeof FLAGS)[number];

  @ApiPropertyOptional({
    enum: FLAGS,
    default: 'false',
    description:
      'Deletes what the lists of the document do not hold. A list that is left out deletes nothing.',
  })
  @Optional()
  @IsIn(FLAGS)
  prune?: (typeof FLAGS)[number];
}

/** How the document is written. */
export class ExportQueryDto {
  @ApiPropertyOptional({ enum: FORMATS, default: 'json' })
  @Optional()
  @IsIn(FORMATS)
  format?: (typeof FORMATS)[number];
}
