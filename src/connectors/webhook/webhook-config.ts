import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsObject } from 'class-validator';
import { Optional } from '../../platform/http/input/optional';
import { IsText } from '../../platform/http/input/text';
import { MAX_VALUE_LENGTH } from './header-rules';
import { MIN_SECRET_BYTES } from './secret';
import { SIGNATURE_HEADER } from './signature-headers';
import type { TlsMaterial } from '../connector-context';
import { BATCH_BOUNDS, type WebhookBatch } from './batch-problems';
import { MAX_PEM_LENGTHS } from './tls-problems';
import { AUTH_SCHEMAS, type WebhookAuth } from './webhook-auth';

export const METHODS = ['POST', 'PUT', 'PATCH'] as const;
export const ENVELOPES = ['event', 'cloudevents'] as const;
export const MAX_HEADERS = 20;

function pem(maxLength: number): { type: 'string'; contentMediaType: string; maxLength: number } {
  return { type: 'string', contentMediaType: 'application/x-pem-file', maxLength };
}

/**
 * Where a webhook destination sends to, what it signs with, and what else the receiver asks for. What an address must
 * be like: `egress/`; what headers and `auth` must be like: `request-problems.ts`.
 */
export class WebhookConfig {
  @ApiProperty({
    example: 'https://orders.example.com/events',
    maxLength: 2000,
    description:
      'A segment of its path may be a field of the event, as it is sent: `/people/{userId}/events`.',
  })
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

  @ApiPropertyOptional({ enum: METHODS, default: 'POST' })
  @Optional()
  @IsIn(METHODS)
  method?: (typeof METHODS)[number];

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'string', minLength: 1, maxLength: MAX_VALUE_LENGTH },
    maxProperties: MAX_HEADERS,
    description:
      'Sent with each request, by name; values are secrets. Not `Host`, `Content-*`, `webhook-*`, the signature, ' +
      '`traceparent`, `tracestate`, or what belongs to the connection.',
    example: { 'X-Gateway-Key': 'a-key-of-the-gateway', 'X-Tenant': 'shop' },
  })
  @Optional()
  @IsObject()
  headers?: Record<string, string>;

  @ApiPropertyOptional({
    oneOf: AUTH_SCHEMAS,
    description: 'What the receiver, or a gateway in front of it, asks for beside the signature.',
    example: { type: 'bearer', token: 'a-token-of-the-receiver' },
  })
  @Optional()
  @IsObject()
  auth?: WebhookAuth;

  @ApiPropertyOptional({
    default: SIGNATURE_HEADER,
    description: 'The name of the header with `sha256=<hex>`.',
    example: 'X-Hub-Signature-256',
  })
  @Optional()
  @IsText(1, 100)
  signatureHeader?: string;

  @ApiPropertyOptional({
    enum: ENVELOPES,
    default: 'event',
    description: 'The event alone, or as the `data` of a CloudEvent 1.0 (`application/cloudevents+json`).',
  })
  @Optional()
  @IsIn(ENVELOPES)
  envelope?: (typeof ENVELOPES)[number];

  @ApiPropertyOptional({
    type: 'object',
    properties: {
      ca: {
        ...pem(MAX_PEM_LENGTHS.ca),
        description: 'Who signs the certificate of the receiver; then nobody else may.',
      },
      cert: {
        ...pem(MAX_PEM_LENGTHS.cert),
        description: 'What the receiver is shown (mutual TLS), with what leads to its authority.',
      },
      key: { ...pem(MAX_PEM_LENGTHS.key), description: 'The private key of `cert`, not encrypted.' },
    },
    additionalProperties: false,
    description: 'For receivers with a private authority, or with mutual TLS. All of it is PEM.',
    example: { ca: '-----BEGIN CERTIFICATE-----\n…\n-----END CERTIFICATE-----\n' },
  })
  @Optional()
  @IsObject()
  tls?: TlsMaterial;

  @ApiPropertyOptional({
    type: 'object',
    properties: {
      maxEvents: { type: 'integer', ...BATCH_BOUNDS.maxEvents },
      maxBytes: {
        type: 'integer',
        ...BATCH_BOUNDS.maxBytes,
        description: 'Of the JSON of the events, as they are stored; one event alone may be larger.',
      },
      flushSeconds: {
        type: 'integer',
        ...BATCH_BOUNDS.flushSeconds,
        description: 'How long the oldest event waits for others.',
      },
    },
    additionalProperties: false,
    description:
      'With it, a request is an array of events, closed at whichever bound is reached first. Not with fields in the path, and ' +
      'not beside `transformationId`, `rateLimit` or `order`.',
    example: { maxEvents: 500, flushSeconds: 5 },
  })
  @Optional()
  @IsObject()
  batch?: WebhookBatch;
}
