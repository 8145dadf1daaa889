import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import { Optional } from '../../platform/http/optional';
import { IsText } from '../../platform/http/text';

/** What a client says about a new source. The write key is made by the service. */
export class CreateSourceDto {
  @ApiProperty({
    example: 'Web shop',
    minLength: 1,
    maxLength: 200,
  })
  @IsText(1, 200)
  name: string;

  @ApiPropertyOptional({ example: 'Events of the shop front end.', maxLength: 2000 })
  @Optional()
  @IsText(0, 2000)
  description?: string;

  @ApiPropertyOptional({ default: true, description: 'A disabled source is answered 401.' })
  @Optional()
  @IsBoolean()
  enabled?: boolean;
}
