import { type ApiOperationOptions, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import type { JsonObject } from '../../events/customer-event';
import { SERVICE_NOTICES } from '../destination-notices';

/** The body that a destination gets which asked for notices about the service; signed and retried as events are. */
export class ServiceNoticeDto {
  @ApiProperty({ enum: ['notice'] })
  type: 'notice';

  @ApiProperty({ enum: SERVICE_NOTICES, description: 'What has happened.' })
  event: string;

  @ApiProperty({
    format: 'uuid',
    description: 'The same on each try, and for each destination that is told.',
  })
  messageId: string;

  @ApiProperty({ format: 'date-time', description: 'When it was noticed.' })
  timestamp: string;

  @ApiProperty({ format: 'date-time' })
  receivedAt: string;

  @ApiProperty({
    example: 'Destination "Order service" is degraded (timeout).',
    description: 'A sentence for people.',
  })
  text: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'The same for programs, see docs/notices.md.',
    example: {
      destinationId: '019ab1c2-7d3e-7f00-8a11-3c4d5e6f7a8b',
      destinationName: 'Order service',
      state: 'degraded',
      reason: 'timeout',
      since: '2026-11-20T12:00:00.000Z',
    },
  })
  properties: JsonObject;
}

/** What a destination is sent that asked for notices, as OpenAPI describes it beside the request that makes one. */
export const NOTICE_CALLBACKS: NonNullable<ApiOperationOptions['callbacks']> = {
  notice: {
    '{$request.body#/config/url}': {
      post: {
        summary: 'A notice about the service, to a webhook that asked for it in `notices`',
        security: [],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: getSchemaPath(ServiceNoticeDto) } } },
        },
        responses: {
          '2XX': { description: 'It is delivered.' },
          '4XX': { description: 'It is refused; 410 disables the destination.' },
        },
      },
    },
  },
};
