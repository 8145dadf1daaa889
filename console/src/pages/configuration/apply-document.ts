import { type Answer, api, bodyOf, type Dto } from '../../api/client';
import { isJson } from '../../shared/is-json';

interface Pasted {
  /** The document as it was pasted. */
  readonly text: string;
  readonly prune: boolean;
}

type Result = Dto['ConfigResultDto'];

/** What a document would change, and the `ETag` of the configuration of which that is true. */
interface Plan {
  readonly changes: Result['changes'];
  readonly etag: string;
}

/** No configuration has it: what is not known to be as planned is planned again. */
const OF_NONE = '""';

/** @throws ProblemError */
export async function planDocument(pasted: Pasted): Promise<Plan> {
  const call = putDocument(pasted);
  const { changes } = await bodyOf(call);
  // Where somebody compresses answers on their way it has come with `W/` before it.
  const etag = (await call).response.headers.get('etag')?.replace(/^W\//, '');
  return { changes, etag: etag ?? OF_NONE };
}

/** Does what was planned, or nothing where something else would have to be done by now. @throws ProblemError */
export function applyDocument(pasted: Pasted, { etag }: Plan): Promise<Result> {
  return bodyOf(putDocument(pasted, etag));
}

/** Without the `ETag` of a plan it is only said what would change. */
function putDocument({ text, prune }: Pasted, etag?: string): Promise<Answer<Result>> {
  const query = { dryRun: `${etag === undefined}`, prune: `${prune}` } as const;
  return api.PUT('/config', {
    params: { query, header: { 'If-Match': etag } },
    // JSON is YAML too, but may be longer.
    headers: { 'content-type': isJson(text) ? 'application/json' : 'application/yaml' },
    // The service reads it, so that what is wrong is told once and by it.
    body: text as never,
    bodySerializer: () => text,
  });
}
