import type { ClientEnvironment } from '../platform/config/client-environment';
import { describeChanges } from './describe-changes';
import { ManagementClient } from './management-client';
import { readGiven } from './read-document';

/** `cdp apply`: makes the configuration what a file says. @returns the exit code */
export async function apply(
  environment: ClientEnvironment,
  { file, prune, json }: { readonly file: string; readonly prune: boolean; readonly json: boolean },
): Promise<number> {
  const document = await readGiven(file, environment);
  const result = await new ManagementClient(environment).apply(document, { dryRun: false, prune });
  process.stdout.write(json ? `${JSON.stringify(result, null, 2)}\n` : describeChanges(result));
  return 0;
}
