import { ApiPropertyOptional } from '@nestjs/swagger';
import { Optional } from '../http/optional';
import { PageQueryDto } from '../http/page';
import { IsText } from '../http/text';

/** Which entries of the audit to show. */
export class AuditQueryDto extends PageQueryDto {
  @ApiPropertyOptional({ example: 'destination' })
  @Optional()
  @IsText(1, 100)
  resource?: string;

  @ApiPropertyOptional({ example: '019ab1c2-7d3e-7f00-8a11-3c4d5e6f7a8b' })
  @Optional()
  @IsText(1, 500)
  resourceId?: string;

  @ApiPropertyOptional({ example: 'ada@example.com' })
  @Optional()
  @IsText(1, 500)
  actor?: string;
}
