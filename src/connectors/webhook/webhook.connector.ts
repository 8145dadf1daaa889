import { Injectable } from '@nestjs/common';
import type { ProblemDetail } from '../../platform/http/problem';
import type { Answer, Connector } from '../connector';
import { RetryableDeliveryError } from '../delivery-error';
import { generateSecret, isWellFormedSecret } from './secret';
import { WebhookConfig } from './webhook-config';

/** Delivers each event as one signed POST. */
@Injectable()
export class WebhookConnector implements Connector<WebhookConfig> {
  readonly id = 'webhook';
  readonly name = 'Webhook';
  readonly configClass = WebhookConfig;
  readonly secretFields = ['secret'];

  newSecrets(): Pick<WebhookConfig, 'secret'> {
    return { secret: generateSecret() };
  }

  async check(config: WebhookConfig): Promise<ProblemDetail[]> {
    return isWellFormedSecret(config.secret)
      ? []
      : [{ path: 'secret', code: 'invalid_secret', message: 'whsec_ must be followed by base64' }];
  }

  async send(): Promise<Answer> {
    throw new RetryableDeliveryError('not_sent');
  }
}
