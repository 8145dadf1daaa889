import type { S3ClientConfig } from '@aws-sdk/client-s3';
import type { OutboundHttp, OutboundRequest } from '../connector-context';

/** The members of the AWS client's request that matter here. */
interface S3Request {
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | string[] | null>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly method: string;
  readonly body?: unknown;
}

/**
 * For a request, which holds 5 MiB at most: a store that takes longer hangs. The upload that it is of may go on for
 * much longer, and meanwhile others wait for its room.
 */
const REQUEST_MS = 60_000;

/** Sends the requests of the AWS client through the HTTP that connectors get. */
export function s3RequestHandler(http: OutboundHttp): S3ClientConfig['requestHandler'] {
  return {
    async handle(request: S3Request) {
      const { status, headers, body } = await http.request({
        url: urlOf(request),
        method: request.method as OutboundRequest['method'],
        // Said by the URL and by the length of the body; the client signs them, it does not have to send them.
        headers: withoutHeaders(request.headers, ['host', 'content-length', 'expect']),
        body: bodyOf(request.body),
        timeoutMs: REQUEST_MS,
      });
      return { response: { statusCode: status, headers: { ...headers }, body } };
    },
    updateHttpClientConfig: () => undefined,
    httpHandlerConfigs: () => ({}),
    destroy: () => undefined,
  };
}

function urlOf({ protocol, hostname, port, path, query = {} }: S3Request): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((item) => (item === null ? encode(name) : `${encode(name)}=${encode(item)}`)),
  );
  const search = pairs.length === 0 ? '' : `?${pairs.join('&')}`;
  return `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}${path}${search}`;
}

/** As AWS signs it: what encodeURIComponent leaves of the reserved characters is encoded too. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function withoutHeaders(
  headers: Readonly<Record<string, string>>,
  names: readonly string[],
): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name.toLowerCase())));
}

function bodyOf(body: unknown): string | Uint8Array | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  throw new TypeError('The S3 client sent a body that is neither text nor bytes.');
}
