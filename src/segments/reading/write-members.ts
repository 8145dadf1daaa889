import type { MembersFormat } from './segment-members';

/** What an `Accept` header asks for: NDJSON where it is named, else a JSON array. */
export function membersFormat(accept: string | undefined): MembersFormat {
  return accept?.includes('application/x-ndjson') === true ? 'application/x-ndjson' : 'application/json';
}

/** Puts chunks of members together: a JSON array of user ids, or one object per line with the entry time. */
export async function* writeMembers(
  chunks: AsyncIterable<string> | Iterable<string>,
  format: MembersFormat,
): AsyncGenerator<string> {
  if (format === 'application/x-ndjson') {
    yield* chunks;
    return;
  }
  let opening = '[';
  for await (const elements of chunks) {
    yield opening + elements;
    opening = ',';
  }
  yield opening === '[' ? '[]' : ']';
}
