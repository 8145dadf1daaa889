import type { ClientEnvironment } from '../platform/config/client-environment';
import { applyGiven } from './apply-given';
import { RefusedError } from './client-failure';
import { describeChanges } from './describe-changes';
import { type ConfigResult, ManagementClient } from './management-client';
import { readGiven } from './read-document';

/**
 * `cdp apply`: makes the configuration what a file says, and tells what was done, too where something failed on the
 * way.
 * @returns the exit code
 */
export async function apply(
  environment: ClientEnvironment,
  { file, prune, json }: { readonly file: string; readonly prune: boolean; readonly json: boolean },
): Promise<number> {
  const given = await readGiven(file, environment);
  const show = (result: ConfigResult): boolean =>
    process.stdout.write(json ? `${JSON.stringify(result, null, 2)}\n` : describeChanges(result, 'applied'));
  const client = new ManagementClient(environment);
  const result = await applyGiven(client, given, { dryRun: false, prune }).catch((error: unknown) => {
    if (error instanceof RefusedError && error.changes !== undefined) show({ changes: error.changes });
    throw error;
  });
  show(result);
  return 0;
}
