import { Injectable } from '@nestjs/common';
import type { ProblemDetail } from '../../platform/http/problems/problem';
import type {
  Answer,
  BatchConnector,
  BatchLimits,
  DescribedRequest,
  EventConnector,
  OutboundBatch,
  OutboundEvent,
} from '../connector';
import type { ConnectorContext } from '../connector-context';
import { RetryableDeliveryError } from '../delivery-error';
import { judgeHttpAnswer } from '../judge-http-answer';
import { EgressPolicy } from '../egress/egress-policy';
import { errorClassOf } from '../egress/error-class';
import { HttpClient } from '../egress/http-client';
import { ExchangeError, type HttpAnswer, type HttpRequest } from '../egress/http-exchange';
import { parseTarget, type Target } from '../egress/parse-target';
import { AccessTokens } from './access-tokens';
import { batchLimitsOf } from './batch-problems';
import { MAX_ANSWER_BYTES, requestHead, type RequestHead } from './request-head';
import { requestProblems } from './request-problems';
import { generateSecret, isWellFormedSecret, MIN_SECRET_BYTES, standardWebhooksKey } from './secret';
import { signatureHeaders } from './signature-headers';
import { WebhookConfig } from './webhook-config';

/** Delivers each event, or many of them where the config asks for it, as one signed request. */
@Injectable()
export class WebhookConnector implements EventConnector<WebhookConfig>, BatchConnector<WebhookConfig> {
  readonly id = 'webhook';
  readonly name = 'Webhook';
  readonly configClass = WebhookConfig;
  readonly batchIsRequest = true;
  readonly secretFields = [
    'secret',
    'headers.*',
    'auth.password',
    'auth.token',
    'auth.value',
    'auth.clientSecret',
    'tls.key',
  ];
  private readonly tokens = new AccessTokens();

  constructor(
    private readonly policy: EgressPolicy,
    private readonly http: HttpClient,
  ) {}

  newSecrets(): Pick<WebhookConfig, 'secret'> {
    return { secret: generateSecret() };
  }

  /** Headers and `auth` are sent as they are, or to where tokens are asked for; `tls.key` proves who sends. */
  secretsGoTo({ url, auth }: WebhookConfig): string | undefined {
    const receivers = auth?.type === 'oauth2ClientCredentials' ? [url, auth.tokenUrl] : [url];
    const targets = receivers.map(parseTarget);
    return targets.map((target) => (typeof target === 'string' ? undefined : target.origin)).join(' ');
  }

  async check(config: WebhookConfig): Promise<ProblemDetail[]> {
    const { url, auth, secret } = config;
    const problems = [...requestProblems(config), ...(await this.refusals('url', url))];
    if (auth?.type === 'oauth2ClientCredentials' && typeof auth.tokenUrl === 'string')
      problems.push(...(await this.refusals('auth.tokenUrl', auth.tokenUrl)));
    const mistake = mistakeIn(secret);
    if (mistake !== undefined) problems.push({ path: 'secret', code: 'invalid_secret', message: mistake });
    return problems;
  }

  /** @throws PermanentDeliveryError when the event can have no request */
  describeRequest(event: OutboundEvent, config: WebhookConfig): DescribedRequest {
    const { method, signatureHeader, shownHeaders, pathOf, bodyOf } = requestHead(config);
    const url = pathOf === undefined ? config.url : new URL(config.url).origin + pathOf(event.body);
    const headers = {
      ...shownHeaders,
      [signatureHeader]: 'sha256=****',
      'webhook-id': event.deliveryId,
      'webhook-timestamp': '<seconds since 1970 at the try>',
      'webhook-signature': 'v1,****',
    };
    const body = bodyOf === undefined ? {} : { body: bodyOf(event) };
    return { method, url, headers, ...body };
  }

  send(event: OutboundEvent, config: WebhookConfig, context: ConnectorContext): Promise<Answer> {
    return this.deliver(messageOf(event), config, context);
  }

  sendsBatches({ batch }: WebhookConfig): boolean {
    return batch !== undefined;
  }

  batchLimits({ batch }: WebhookConfig): BatchLimits {
    return batchLimitsOf(batch);
  }

  async sendBatch(batch: OutboundBatch, config: WebhookConfig, context: ConnectorContext): Promise<Answer> {
    const { bodyOf } = requestHead(config);
    const bodies: string[] = [];
    for await (const event of batch.events()) bodies.push(bodyOf?.(event) ?? event.body);
    if (bodies.length === 0) return {}; // No event is stored any more.
    const body = Buffer.from(`[${bodies.join(',')}]`);
    return this.deliver({ id: batch.id, cancel: context.signal, bodyFor: () => body }, config, context);
  }

  private async deliver(message: Message, config: WebhookConfig, context: ConnectorContext): Promise<Answer> {
    const { auth } = config;
    if (auth?.type !== 'oauth2ClientCredentials') return this.request(message, config, context);
    const authorized = await this.tokens.of(config, auth, context);
    try {
      return await this.request(message, authorized, context);
    } catch (error) {
      if (!isUnauthorized(error) || !this.tokens.renews(config, authorized)) throw error;
      const another = await this.tokens.of(config, auth, context).catch(() => undefined);
      if (another === undefined) throw error;
      return this.request(message, another, context);
    }
  }

  private async refusals(path: string, url: string): Promise<ProblemDetail[]> {
    const refusal = await this.policy.refusal(url);
    return refusal === undefined ? [] : [{ path, code: 'url_not_allowed', message: `${path} ${refusal}` }];
  }

  private async request(message: Message, config: WebhookConfig, context: ConnectorContext): Promise<Answer> {
    const parsed = parseTarget(config.url);
    if (typeof parsed === 'string') throw new RetryableDeliveryError('address_not_allowed');
    const head = requestHead(config);
    const path = message.pathFor?.(head);
    const target = path === undefined ? parsed : { ...parsed, path };
    try {
      return answerOf(await this.http.send(requestOf(message, { target, head, config, context })), head);
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error;
      const { status, latency, body } = error.partial;
      throw new RetryableDeliveryError(errorClassOf(error.cause), {
        status,
        latency,
        excerpt: head.excerptOf(body, false),
      });
    }
  }
}

/** Of a whole answer, not one that broke off. */
function isUnauthorized(error: unknown): boolean {
  if (!(error instanceof RetryableDeliveryError)) return false;
  return error.errorClass === 'unauthorized' && error.details.status === 401;
}

function mistakeIn(secret: string): string | undefined {
  if (!isWellFormedSecret(secret)) return 'whsec_ must be followed by base64';
  if (standardWebhooksKey(secret).length >= MIN_SECRET_BYTES) return undefined;
  return `secret must be ${MIN_SECRET_BYTES} bytes or longer; one is made when it is left out`;
}

/** What is sent under one id. */
interface Message {
  /** The `webhook-id`. */
  readonly id: string;
  bodyFor(head: RequestHead): Buffer;
  /** Undefined where the path is that of the URL. */
  pathFor?(head: RequestHead): string | undefined;
  /** Ends the request before its deadline. */
  readonly cancel?: AbortSignal;
}

function messageOf(event: OutboundEvent): Message {
  return {
    id: event.deliveryId,
    bodyFor: ({ bodyOf }) => Buffer.from(bodyOf?.(event) ?? event.body),
    pathFor: ({ pathOf }) => pathOf?.(event.body),
  };
}

interface Try {
  readonly target: Target;
  readonly head: RequestHead;
  readonly config: WebhookConfig;
  readonly context: ConnectorContext;
}

function requestOf(message: Message, { target, head, config, context }: Try): HttpRequest {
  const { destinationId, deadline, previousSecrets, traceparent } = context;
  const body = message.bodyFor(head);
  const timestamp = Math.floor(Date.now() / 1000);
  const signatures = signatureHeaders(
    { id: message.id, body, timestamp },
    [
      config.secret,
      ...(previousSecrets ?? []).flatMap(({ secret }) => (typeof secret === 'string' ? secret : [])),
    ],
    head.signatureHeader,
  );
  const headers = [...head.headers, ...signatures];
  if (traceparent !== undefined) headers.push('traceparent', traceparent);
  return {
    destinationId,
    target,
    method: head.method,
    headers,
    body,
    tls: config.tls,
    deadline,
    cancel: message.cancel,
    maxKeptBytes: head.maxKeptBytes,
    maxReadBytes: MAX_ANSWER_BYTES,
  };
}

/** A receiver that refuses an event may be mended: whatever it says but 410, the event is tried again. */
function answerOf(
  { status, headers, body, latency }: HttpAnswer,
  { excerptOf, pathOf }: RequestHead,
): Answer {
  const given = headers['retry-after'];
  const retryAfter = typeof given === 'string' ? given : given?.[0];
  const about = { retryAfter, isAddressOfEvent: pathOf !== undefined };
  return judgeHttpAnswer({ status, excerpt: excerptOf(body, true), latency }, about);
}
