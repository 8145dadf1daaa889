import type { SegmentMember } from './segment-members';

export type MembersFormat = 'application/json' | 'application/x-ndjson';

/** What an `Accept` header asks for: NDJSON where it is named, else a JSON array. */
export function membersFormat(accept: string | undefined): MembersFormat {
  return accept?.includes('application/x-ndjson') === true ? 'application/x-ndjson' : 'application/json';
}

/** Writes members as text, chunk by chunk: an array of user ids, or one object per line with the entry time. */
export async function* writeMembers(
  chunks: AsyncIterable<SegmentMember[]> | Iterable<SegmentMember[]>,
  format: MembersFormat,
): AsyncGenerator<string> {
  if (format === 'application/x-ndjson') {
    for await (const members of chunks) yield members.map((member) => `${JSON.stringify(member)}\n`).join('');
    return;
  }
  let opening = '[';
  for await (const members of chunks) {
    yield opening + members.map(({ userId }) => JSON.stringify(userId)).join(',');
    opening = ',';
  }
  yield opening === '[' ? '[]' : ']';
}
