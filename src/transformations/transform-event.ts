import { isJsonObject, type JsonValue } from '../events/customer-event';
import type { Sandbox } from './sandbox/sandbox';
import { isFailure, type SandboxedCode, type SandboxFailure } from './sandbox/sandbox-result';

/** Events that one event may become. */
const MAX_EVENTS = 20;

/** The JSON of the events that are made of something, or why there are none. */
export type Transformed = { readonly events: readonly string[] } | { readonly failure: SandboxFailure };

interface TransformOptions {
  /** Events that may be made of it. */
  readonly most?: number;
  /** Answers the JSON of the second argument. Asked only where the code looks into it. */
  readonly context?: () => Promise<string>;
}

/**
 * @param given as JSON: an event, or a request that others have posted
 * @throws what `context` throws
 */
export async function transformEvent(
  sandbox: Sandbox,
  code: SandboxedCode,
  given: string,
  { most = MAX_EVENTS, context }: TransformOptions = {},
): Promise<Transformed> {
  let result = await sandbox.run(code, context === undefined ? `[${given}]` : `[${given},null]`);
  if (context !== undefined && 'asks' in result)
    result = await sandbox.run(code, `[${given},${await context()}]`);
  if (isFailure(result)) return result;
  if ('asks' in result) return bad('nothing: it looked for what is not there');
  const returned = JSON.parse(result.json) as JsonValue;
  if (returned === null) return { events: [] };
  if (isJsonObject(returned)) return { events: [result.json] };
  if (!Array.isArray(returned) || !returned.every(isJsonObject))
    return bad('no event, list of events or null');
  if (returned.length > most) return bad(`more than ${most} events`);
  return { events: returned.map((one) => JSON.stringify(one)) };
}

function bad(what: string): Transformed {
  return { failure: { kind: 'bad_result', message: `transform returned ${what}` } };
}

/** For people: `line 4: TypeError: cannot read property 'total' of undefined`. */
export function failureText({ line, message }: SandboxFailure): string {
  return line === undefined ? message : `line ${line}: ${message}`;
}
