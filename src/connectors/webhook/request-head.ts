import type { Dispatcher } from 'undici';
import type { OutboundEvent } from '../connector';
import { excerptNeeds, excerptOf } from '../excerpt';
import { SecretMask } from '../secret-mask';
import { cloudEventOf } from './cloud-event';
import { compilePathTemplate, type PathOf } from './path-template';
import { SIGNATURE_HEADER } from './signature-headers';
import { authHeader } from './webhook-auth';
import type { WebhookConfig } from './webhook-config';

/** What is read of an answer before the connection is dropped: its status is all that matters. */
export const MAX_ANSWER_BYTES = 64 * 1024;
const CONTENT_TYPES = {
  event: { one: 'application/json', batch: 'application/json' },
  cloudevents: { one: 'application/cloudevents+json', batch: 'application/cloudevents-batch+json' },
} as const;
const USER_AGENT = ['User-Agent', 'cdp-service-webhooks/1'] as const;

/** All of a request that follows from the config alone, and how its answer is read. */
export interface RequestHead {
  readonly method: Dispatcher.HttpMethod;
  readonly signatureHeader: string;
  /** Undefined where the path is that of the URL. */
  readonly pathOf: PathOf | undefined;
  /** Undefined where the body is that of the event. */
  readonly bodyOf: ((event: OutboundEvent) => string) | undefined;
  /** Name, value, name, value; secrets included. */
  readonly headers: readonly string[];
  /** The same for people. */
  readonly shownHeaders: Readonly<Record<string, string>>;
  /** How much of an answer is kept for the next one. */
  readonly maxKeptBytes: number;
  /** The beginning of an answer, without what it repeats of the secrets that were sent. */
  excerptOf(body: Buffer, isWhole: boolean): string;
}

const heads = new WeakMap<WebhookConfig, RequestHead>();

/** Made once for each config, since thousands of events a second may need it. */
export function requestHead(config: WebhookConfig): RequestHead {
  let head = heads.get(config);
  if (head === undefined) heads.set(config, (head = makeHead(config)));
  return head;
}

type Header = readonly [name: string, value: string];

function makeHead({
  url,
  method = 'POST',
  headers = {},
  auth,
  signatureHeader,
  envelope = 'event',
  batch,
}: WebhookConfig): RequestHead {
  const own: Header[] = Object.entries(headers);
  if (auth !== undefined) own.push(authHeader(auth));
  const hasUserAgent = own.some(([name]) => name.toLowerCase() === 'user-agent');
  const contentType: Header = [
    'Content-Type',
    CONTENT_TYPES[envelope][batch === undefined ? 'one' : 'batch'],
  ];
  const common = hasUserAgent ? [contentType] : [contentType, USER_AGENT];
  const password = auth?.type === 'basic' ? auth.password : '';
  return {
    method,
    signatureHeader: signatureHeader ?? SIGNATURE_HEADER,
    pathOf: compilePathTemplate(url),
    bodyOf: envelope === 'cloudevents' ? cloudEventOf : undefined,
    headers: [...common, ...own].flat(),
    shownHeaders: Object.fromEntries([...common, ...own.map(masked)]),
    ...excerptWithout([password, ...own.map(([, value]) => value)]),
  };
}

/** Which scheme it is proves nothing. */
function masked([name, value]: Header): Header {
  const [, scheme = ''] = name === 'Authorization' ? (/^(Basic |Bearer )/.exec(value) ?? []) : [];
  return [name, `${scheme}****`];
}

/**
 * A receiver may answer with the request that it got, and whoever may choose the path of the URL can find one that
 * does. What is sent is hidden here, because access tokens are in no config.
 */
function excerptWithout(values: readonly string[]): Pick<RequestHead, 'maxKeptBytes' | 'excerptOf'> {
  const mask = new SecretMask(values.flatMap((value) => [value, value.replace(/^(?:Basic|Bearer) /, '')]));
  const maxKeptBytes = Math.min(excerptNeeds(mask), MAX_ANSWER_BYTES);
  return {
    maxKeptBytes,
    excerptOf: (body, isWhole) =>
      excerptOf(body.toString('utf8'), mask, isWhole && body.length < maxKeptBytes),
  };
}
