import { ApiPropertyOptional } from '@nestjs/swagger';
import { Optional } from '../http/optional';
import { PageQueryDto } from '../http/page';
import { IsText } from '../http/text';

/** Which entries of the audit to show. */
export class AuditQueryDto extends PageQueryDto {
  @ApiPropertyOptional({ description: 'A kind of thing, for example `destination`.' })
  @Optional()
  @IsText(1, 100)
  resource?: string;

  @ApiPropertyOptional()
  @Optional()
  @IsText(1, 500)
  resourceId?: string;

  @ApiPropertyOptional({ description: 'The subject of a token, for example `ada@example.com`.' })
  @Optional()
  @IsText(1, 500)
  actor?: string;
}
