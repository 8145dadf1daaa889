import type { EventPath } from '../../events/event-path';
import type { InputProblems } from '../../platform/http/input/input-problems';

/** No event has such a member: in rules and filters it stands for the computed traits of the person. */
export const COMPUTED = 'computed';

/** The path, unless what is looked for is no part of one event. */
export function refuseComputed(
  path: EventPath,
  inputPath: string,
  problems: InputProblems,
  code: string,
): EventPath | undefined {
  if (path[0] !== COMPUTED) return path;
  const message =
    'Computed traits are of people, and not in events: ask about it in a rule of its own; a property of this name is properties.computed.';
  return problems.fail(inputPath, code, message);
}
