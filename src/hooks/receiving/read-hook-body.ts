import { UnsupportedMediaTypeError } from '../../ingestion/ingestion-problems';
import { decodeUtf8 } from '../../ingestion/receiving/decode-utf8';
import { parseJson } from '../../ingestion/parsing/parse-request';
import { isDeeperThan } from '../../platform/http/input/is-deeper-than';
import { BodyTooDeepError } from '../hook-problems';

/** Deeper than anybody nests what others are to read. */
const MAX_DEPTH = 100;

export type BodyFormat = 'json' | 'form';

/** A body as a transformation gets it. */
interface HookBody {
  /** JSON, with the digits that were sent. */
  readonly text: string;
  readonly value: unknown;
}

/** @throws UnsupportedMediaTypeError */
export function demandFormat(contentType: string | undefined): BodyFormat {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (/^application\/(?:[\w.+-]+\+)?json$/.test(type)) return 'json';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  throw new UnsupportedMediaTypeError('Send application/json or application/x-www-form-urlencoded.');
}

/** @throws InvalidJsonError, BodyTooDeepError */
export function readHookBody(bytes: Buffer, format: BodyFormat): HookBody {
  const text = decodeUtf8(bytes);
  if (format === 'form') {
    const value = fieldsOf(text);
    return { text: JSON.stringify(value), value };
  }
  const { value } = parseJson(text);
  if (typeof value === 'object' && value !== null && isDeeperThan(MAX_DEPTH, value))
    throw new BodyTooDeepError(MAX_DEPTH);
  return { text, value };
}

/** A field that is given several times is a list. */
function fieldsOf(text: string): Record<string, string | string[]> {
  const fields = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    const values = fields.get(name);
    if (values === undefined) fields.set(name, [value]);
    else values.push(value);
  }
  return Object.fromEntries(
    [...fields].map(([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : values]),
  );
}
