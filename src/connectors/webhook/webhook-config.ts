import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsUrl, MaxLength } from 'class-validator';
import { IsText } from '../../platform/http/text';

/** Where a webhook destination posts to, and what it signs with. */
export class WebhookConfig {
  @ApiProperty({ example: 'https://orders.example.com/events', maxLength: 2000 })
  @IsUrl({ protocols: ['http', 'https'], require_protocol: true, require_tld: false })
  @MaxLength(2000)
  url: string;

  @ApiPropertyOptional({ minLength: 8, maxLength: 500, description: 'Made by the service when left out.' })
  @IsText(8, 500)
  secret: string;
}
