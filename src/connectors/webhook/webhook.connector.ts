import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Connector, SendResult } from '../connector';
import { RetryableDeliveryError } from '../delivery-error';
import { WebhookConfig } from './webhook-config';

/** Posts each event to a URL, signed. */
@Injectable()
export class WebhookConnector implements Connector<WebhookConfig> {
  readonly id = 'webhook';
  readonly name = 'Webhook';
  readonly configClass = WebhookConfig;
  readonly secretFields = ['secret'] as const;

  newSecrets(): Pick<WebhookConfig, 'secret'> {
    return { secret: randomBytes(32).toString('base64url') };
  }

  async send(): Promise<SendResult> {
    throw new RetryableDeliveryError('not_sent', 'This webhook connector knows its configuration only.');
  }
}
