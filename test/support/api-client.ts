import { aToken } from './a-token';
import type { TestService } from './test-service';

/** An answer of the service with its JSON body; `body` is undefined when there is none. */
export interface ApiAnswer<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** What tests know about a body unless they say more. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests read bodies member by member and assert on them.
export type AnyBody = any;

/** Talks JSON to a service under test, as an operator. */
export class ApiClient {
  constructor(
    private readonly baseUrl: string,
    private readonly headers: Readonly<Record<string, string>>,
  ) {}

  /** The same client with other or further headers; an empty value removes one. */
  with(headers: Readonly<Record<string, string>>): ApiClient {
    return new ApiClient(this.baseUrl, { ...this.headers, ...headers });
  }

  get<Body = AnyBody>(path: string): Promise<ApiAnswer<Body>> {
    return this.send('GET', path);
  }

  post<Body = AnyBody>(path: string, body?: unknown): Promise<ApiAnswer<Body>> {
    return this.send('POST', path, body);
  }

  put<Body = AnyBody>(path: string, body?: unknown): Promise<ApiAnswer<Body>> {
    return this.send('PUT', path, body);
  }

  delete<Body = AnyBody>(path: string): Promise<ApiAnswer<Body>> {
    return this.send('DELETE', path);
  }

  /** A string and bytes are sent as they are, anything else as JSON. */
  async send<Body = AnyBody>(method: string, path: string, body?: unknown): Promise<ApiAnswer<Body>> {
    const headers = Object.fromEntries(Object.entries(this.headers).filter(([, value]) => value !== ''));
    if (body !== undefined) headers['content-type'] ??= 'application/json';
    const answer = await fetch(`${this.baseUrl}${path}`, {
      method,
      headers,
      body: body === undefined || isSentAsItIs(body) ? body : JSON.stringify(body),
    });
    const text = await answer.text();
    const isJson = /[/+]json/.test(answer.headers.get('content-type') ?? '');
    return {
      status: answer.status,
      headers: answer.headers,
      body: (isJson && text !== '' ? JSON.parse(text) : text === '' ? undefined : text) as Body,
    };
  }
}

function isSentAsItIs(body: unknown): body is string | Uint8Array<ArrayBuffer> {
  return typeof body === 'string' || body instanceof Uint8Array;
}

/** A client with a token for everything, or for the given scopes. */
export async function anApiClient(service: TestService, scopes?: readonly string[]): Promise<ApiClient> {
  return new ApiClient(service.url, { authorization: `Bearer ${await aToken(service, scopes)}` });
}
