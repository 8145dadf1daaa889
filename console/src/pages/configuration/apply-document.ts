import { api, bodyOf, type Dto } from '../../api/client';

interface Application {
  /** The document as it was pasted. */
  readonly text: string;
  readonly prune: boolean;
  /** Only says what would change. */
  readonly dryRun: boolean;
}

/** Applies a configuration document. @throws ProblemError */
export function applyDocument({ text, prune, dryRun }: Application): Promise<Dto['ConfigResultDto']> {
  return bodyOf(
    api.PUT('/config', {
      params: { query: { dryRun: `${dryRun}`, prune: `${prune}` } },
      headers: { 'content-type': isJson(text) ? 'application/json' : 'application/yaml' },
      // The service reads it, so that what is wrong is told once and by it.
      body: text as never,
      bodySerializer: () => text,
    }),
  );
}

/** JSON is YAML too, but may be longer. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
