import type { ConfigResult, ManagementClient } from './management-client';
import type { Given } from './read-document';

/** Plans or applies what was given. What is not set is told where it may matter: something changes, or is refused. */
export async function applyGiven(
  client: ManagementClient,
  { document, unset }: Given,
  options: Parameters<ManagementClient['apply']>[1],
): Promise<ConfigResult> {
  let nothingChanges = false;
  try {
    const result = await client.apply(document, options);
    nothingChanges = result.changes.length === 0;
    return result;
  } finally {
    if (!nothingChanges && unset.length > 0) process.stderr.write(inWords(unset));
  }
}

function inWords(unset: readonly string[]): string {
  return `Not set: ${unset.join(', ')}. Secrets that a destination or source already has stay, anything else needs them.\n`;
}
