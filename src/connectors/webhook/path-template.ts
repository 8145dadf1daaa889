import type { JsonObject } from '../../events/customer-event';
import { type EventPath, parseEventPath, valueAt } from '../../events/event-path';
import { isKeptNumber, parseExactly, stringifyExactly } from '../../events/exact-json';
import type { ProblemDetail } from '../../platform/http/problems/problem';
import { PermanentDeliveryError } from '../delivery-error';
import { parseTarget } from '../egress/parse-target';

/** Ids have at most 255 characters; receivers take lines of 8 KB. */
const MAX_VALUE_LENGTH = 1_000;
const PLACEHOLDER = /^\{([^{}]*)\}$/;
const BRACE = /[{}]/;

/** A segment of a path: a text as it is sent, or the value of a field. */
type Segment = string | EventPath;

/**
 * Makes the path of a request from the event as it is sent.
 * @throws PermanentDeliveryError where a value is missing or refused
 */
export type PathOf = (body: string) => string;

interface UrlParts {
  readonly path: string;
  /** All that stands before and behind it. */
  readonly others: string;
}

/** What is wrong with the `{…}` of a URL, each of which is the whole of one segment of its path. */
export function pathTemplateProblems(url: string): ProblemDetail[] {
  const { path, others } = partsOf(url);
  if (BRACE.test(others))
    return [problem('may have {…} in its path alone; braces in a query are %7B and %7D')];
  if (!BRACE.test(path)) return [];
  const segments = path.split('/');
  // The parser of URLs would take them out, and with them what stands before.
  if (segments.some(isDotSegment)) return [problem('may have no segment . or .. beside {…}')];
  return segments.flatMap((segment) => {
    const [, field] = PLACEHOLDER.exec(segment) ?? [];
    if (field === undefined)
      return BRACE.test(segment)
        ? [problem('may have {…} as a whole segment of its path, such as /people/{userId}')]
        : [];
    if (parseEventPath(field) !== undefined) return [];
    return [problem('must name a field of the event in {…}, such as {userId} or {properties.orderId}')];
  });
}

/** Undefined where the path of a URL that was checked is the same for each event. */
export function compilePathTemplate(url: string): PathOf | undefined {
  const { path } = partsOf(url);
  if (!BRACE.test(path) || pathTemplateProblems(url).length > 0) return undefined;
  const written = path.split('/');
  // As the parser of URLs writes them. A name in place of the values keeps the number of segments.
  const named = written.map((segment) => segment.replace(PLACEHOLDER, 'x')).join('/');
  const target = parseTarget(url.replace(path, () => named));
  if (typeof target === 'string') return undefined;
  const [, parsed = '', query = ''] = /^([^?]*)(.*)$/.exec(target.path) ?? [];
  const segments = parsed.split('/').map((segment, index): Segment => {
    const [, field] = PLACEHOLDER.exec(written[index] ?? '') ?? [];
    return field === undefined ? segment : (parseEventPath(field) ?? []);
  });
  return (body) => {
    const event = parseExactly(body) as JsonObject;
    const filled = segments.map((segment) =>
      typeof segment === 'string' ? segment : segmentFor(event, segment),
    );
    return filled.join('/') + query;
  };
}

/**
 * One segment that every reader takes for one, with exactly this value: also those that decode `%2F` before they
 * look for slashes, decode twice, or take `\\` for a slash and `..;` for dots.
 */
function segmentFor(event: JsonObject, path: EventPath): string {
  const value = valueAt(event, path);
  if (value === undefined || value === null || value === '' || typeof value === 'object')
    throw new PermanentDeliveryError('path_value_missing', {
      excerpt: `The event has no ${path.join('.')}.`,
      isOfEvent: true,
    });
  const text = typeof value === 'string' && !isKeptNumber(value) ? value : stringifyExactly(value);
  if (text.length > MAX_VALUE_LENGTH || !text.isWellFormed() || readingsOf(text).some(isMisread))
    throw new PermanentDeliveryError('path_value_refused', {
      excerpt: `${path.join('.')} cannot be a segment of a path.`,
      isOfEvent: true,
    });
  return encodeURIComponent(text);
}

/** A text as it is, decoded once, twice, and so on. */
function readingsOf(text: string): string[] {
  const readings = [text];
  for (let last = text; ;) {
    const decoded = last.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(parseInt(hex, 16)),
    );
    if (decoded === last) return readings;
    readings.push((last = decoded));
  }
}

function isMisread(text: string): boolean {
  return /[/\\]|\p{Cc}/u.test(text) || isDotSegment(text.replace(/;.*/s, '').trim());
}

function isDotSegment(segment: string): boolean {
  return /^(?:\.|%2e){1,2}$/i.test(segment);
}

function partsOf(url: string): UrlParts {
  const [, before = '', path = '', behind = ''] = /^([a-z]+:\/\/[^/?#]*)([^?#]*)(.*)$/is.exec(url) ?? [];
  return { path, others: before + behind };
}

function problem(message: string): ProblemDetail {
  return { path: 'url', code: 'invalid_path_template', message: `url ${message}` };
}
