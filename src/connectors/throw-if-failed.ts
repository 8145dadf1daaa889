import type { Answer } from './connector';
import type { OutboundResponse } from './connector-context';
import { GIVEN_BYTES } from './excerpt';
import { judgeHttpAnswer } from './judge-http-answer';

/** Of APIs: they say that this event will never be taken. */
const REFUSALS = [400, 413, 422];

/**
 * The usual meaning of an HTTP answer: 2xx is delivered; 410 ends the destination; 400, 413 and 422 say that this
 * event will never be taken; anything else is tried again, not before `Retry-After`.
 */
export function throwIfFailed({ status, headers, body }: OutboundResponse): Answer {
  const excerpt = body.subarray(0, GIVEN_BYTES).toString('utf8');
  return judgeHttpAnswer(
    { status, excerpt },
    { retryAfter: headers['retry-after'], finalStatuses: REFUSALS },
  );
}
