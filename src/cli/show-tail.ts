import type { ClientEnvironment } from '../platform/config/client-environment';
import { describeEvent } from './describe-event';
import type { StreamMessage } from './event-stream';
import { TailClient } from './tail-client';

/** Shows what comes in, line by line, until somebody stops it. @throws BootError when the service refuses. */
export function showTail(
  environment: ClientEnvironment,
  { query, json }: { readonly query: URLSearchParams; readonly json: boolean },
): Promise<never> {
  // What the lines are piped into may have had enough, as `head` has.
  process.stdout.once('error', () => process.exit(0));
  const client = new TailClient(environment, {
    show: (message) => process.stdout.write(`${json ? asJson(message) : describeEvent(message)}\n`),
    note: (text) => process.stderr.write(`${text}\n`),
  });
  return client.watch(query);
}

/** One line of JSON: what became of it, and the event as the API shows it. */
function asJson({ type, data }: StreamMessage): string {
  return JSON.stringify({ outcome: type, ...(JSON.parse(data) as object) });
}
