import { Injectable } from '@nestjs/common';
import type { ProblemDetail } from '../../platform/http/problem';
import type { Answer, EventConnector, OutboundEvent } from '../connector';
import type { ConnectorContext } from '../connector-context';
import { RetryableDeliveryError } from '../delivery-error';
import { judgeHttpAnswer } from '../judge-http-answer';
import { EgressPolicy } from '../egress/egress-policy';
import { parseTarget, type Target } from '../egress/parse-target';
import { errorClassOf } from './error-class';
import { ExchangeError, type HttpAnswer } from './exchange';
import { HttpPoster, type Post } from './http-poster';
import { generateSecret, isWellFormedSecret } from './secret';
import { signatureHeaders } from './signature-headers';
import { WebhookConfig } from './webhook-config';

const USER_AGENT = 'cdp-service-webhooks/1';

/** Delivers each event as one signed POST. */
@Injectable()
export class WebhookConnector implements EventConnector<WebhookConfig> {
  readonly id = 'webhook';
  readonly name = 'Webhook';
  readonly configClass = WebhookConfig;
  readonly secretFields = ['secret'];

  constructor(
    private readonly policy: EgressPolicy,
    private readonly poster: HttpPoster,
  ) {}

  newSecrets(): Pick<WebhookConfig, 'secret'> {
    return { secret: generateSecret() };
  }

  async check({ url, secret }: WebhookConfig): Promise<ProblemDetail[]> {
    const problems: ProblemDetail[] = [];
    const refusal = await this.policy.refusal(url);
    if (refusal !== undefined)
      problems.push({ path: 'url', code: 'url_not_allowed', message: `url ${refusal}` });
    if (!isWellFormedSecret(secret)) {
      problems.push({ path: 'secret', code: 'invalid_secret', message: 'whsec_ must be followed by base64' });
    }
    return problems;
  }

  async send(event: OutboundEvent, config: WebhookConfig, context: ConnectorContext): Promise<Answer> {
    const target = parseTarget(config.url);
    if (typeof target === 'string') throw new RetryableDeliveryError('address_not_allowed');
    try {
      return judge(await this.poster.post(postOf(event, target, config, context)));
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error;
      throw new RetryableDeliveryError(errorClassOf(error.cause), error.partial);
    }
  }
}

function postOf(
  event: OutboundEvent,
  target: Target,
  config: WebhookConfig,
  { destinationId, deadline, previousSecrets, traceparent }: ConnectorContext,
): Post {
  const body = Buffer.from(event.body);
  const timestamp = Math.floor(Date.now() / 1000);
  const previous = previousSecrets?.secret;
  const signatures = signatureHeaders(
    { id: event.deliveryId, body, timestamp },
    typeof previous === 'string' ? [config.secret, previous] : [config.secret],
  );
  const headers = ['Content-Type', 'application/json', 'User-Agent', USER_AGENT, ...signatures];
  if (traceparent !== undefined) headers.push('traceparent', traceparent);
  return { destinationId, target, headers, body, deadline };
}

/** A receiver that refuses an event may be mended: whatever it says but 410, the event is tried again. */
function judge({ status, headers, excerpt, latency }: HttpAnswer): Answer {
  const [retryAfter] = [headers['retry-after']].flat();
  return judgeHttpAnswer({ status, excerpt, latency }, { retryAfter });
}
