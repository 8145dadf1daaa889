import createClient from 'openapi-fetch';
import type { components, paths } from '../../generated/schema';
import { parseExactly } from './exact-json';
import { ProblemError } from './problem-error';
import { goToLogin, noteSession } from './session';

/** The DTOs of the Management API: `Dto['SourceDto']`. */
export type Dto = components['schemas'];

/** What a listing is filtered by: `QueryOf<'/events'>`. */
export type QueryOf<Path extends keyof paths> = paths[Path] extends {
  readonly get: { readonly parameters: { readonly query?: infer Query } };
}
  ? NonNullable<Query>
  : never;

/** The Management API, as its OpenAPI document describes it. The cookie of the session says who asks. */
export const api = createClient<paths>({ baseUrl: '/', credentials: 'same-origin' });

api.use({
  onResponse({ response, schemaPath }) {
    const isStranger = response.status === 401;
    // Asked before anything is shown. Later somebody may be writing, and would lose it with the page.
    if (isStranger && schemaPath === '/me') goToLogin();
    else if (isStranger || (response.status < 500 && response.status !== 429))
      noteSession(isStranger ? 'ended' : 'lasts');
  },
});

/** What a call of `api` answers. */
export interface Answer<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

/** The body of an answer. @throws ProblemError for anything but a success. */
export async function bodyOf<Data>(call: Promise<Answer<Data>>): Promise<Data> {
  const { data, error, response } = await call;
  if (!response.ok) throw ProblemError.from(error, response);
  return data as Data;
}

/**
 * The body of an answer that was asked for as text, with the digits that events were sent with. For queries without
 * `structuralSharing`, which makes copies. @throws ProblemError
 */
export async function exactBodyOf<Data>(call: Promise<Answer<string>>): Promise<Data> {
  return parseExactly(await bodyOf(call)) as Data;
}

/** A page of a listing, and the cursor of the next one if there is one. */
export interface ListPage<Row> {
  readonly rows: readonly Row[];
  readonly nextCursor: string | undefined;
}

/** A page of a listing. @throws ProblemError */
export async function pageOf<Row>(call: Promise<Answer<readonly Row[]>>): Promise<ListPage<Row>> {
  const { response } = await call;
  return { rows: await bodyOf(call), nextCursor: nextCursorOf(response.headers.get('link')) };
}

/** A page of a listing that was asked for as text, see {@link exactBodyOf}. @throws ProblemError */
export async function exactPageOf<Row>(call: Promise<Answer<string>>): Promise<ListPage<Row>> {
  const { response } = await call;
  return { rows: await exactBodyOf(call), nextCursor: nextCursorOf(response.headers.get('link')) };
}

/** The cursor in `</sources?limit=100&cursor=…>; rel="next"`. */
function nextCursorOf(link: string | null): string | undefined {
  const target = /<([^>]*)>;\s*rel="next"/.exec(link ?? '')?.[1];
  if (target === undefined) return undefined;
  return new URL(target, 'http://here.invalid').searchParams.get('cursor') ?? undefined;
}
