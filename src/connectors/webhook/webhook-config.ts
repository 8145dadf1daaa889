import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsText } from '../../platform/http/text';
import { MIN_SECRET_BYTES } from './secret';

/** Where a webhook destination posts to, and what it signs with. What an address must be like: `egress/`. */
export class WebhookConfig {
  @ApiProperty({ example: 'https://orders.example.com/events', maxLength: 2000 })
  @IsText(1, 2000)
  url: string;

  @ApiPropertyOptional({
    minLength: MIN_SECRET_BYTES,
    maxLength: 500,
    description:
      'Any text of 8 bytes or more, better 24, or `whsec_<base64>` of as many as in Standard Webhooks. Made by the ' +
      'service when left out.',
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  })
  @IsText(1, 500)
  secret: string;
}
