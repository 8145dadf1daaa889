import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsText } from '../../platform/http/text';

/** Where a webhook destination posts to, and what it signs with. What an address must be like: `egress/`. */
export class WebhookConfig {
  @ApiProperty({ example: 'https://orders.example.com/events', maxLength: 2000 })
  @IsText(1, 2000)
  url: string;

  @ApiPropertyOptional({
    minLength: 1,
    maxLength: 500,
    description: 'Any text, or `whsec_<base64>` as in Standard Webhooks. Made by the service when left out.',
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  })
  @IsText(1, 500)
  secret: string;
}
