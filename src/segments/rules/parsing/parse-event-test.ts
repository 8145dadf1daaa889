import { EVENT_TYPES, type EventType } from '../../../events/customer-event';
import { type EventCondition, readEventCondition } from '../../../language/event-condition';
import { MAX_STRING_LENGTH } from '../../../language/limits';
import type { InputProblems } from '../../../platform/http/input/input-problems';
import { refuseComputed } from '../computed-path';
import { MAX_WHERE } from './limits';

/** The name of events: of a track, page or screen; of others (and without a name) the type. */
export function readEventName(event: unknown, path: string, problems: InputProblems): string | undefined {
  const isName =
    typeof event === 'string' &&
    event.length > 0 &&
    event.length <= MAX_STRING_LENGTH &&
    !event.includes('\0') &&
    event.isWellFormed();
  if (isName) return event;
  const message = `Must be the name of an event: 1 to ${MAX_STRING_LENGTH} characters.`;
  return problems.fail(path, 'invalid_event', message);
}

export function readEventType(type: unknown, path: string, problems: InputProblems): EventType | undefined {
  return problems.oneOf(EVENT_TYPES, type, path, 'invalid_type');
}

/** The conditions of an event that counts; none where nothing is said. */
export function readWhere(
  where: unknown,
  path: string,
  problems: InputProblems,
): EventCondition[] | undefined {
  if (where === undefined) return [];
  if (!Array.isArray(where) || where.length === 0 || where.length > MAX_WHERE) {
    const message = `Must be an array of 1 to ${MAX_WHERE} conditions, each {field, operator, value}.`;
    return problems.fail(path, 'invalid_where', message);
  }
  return problems.entries(where, path, readCondition);
}

function readCondition(
  condition: unknown,
  path: string,
  problems: InputProblems,
): EventCondition | undefined {
  const read = readEventCondition(condition, path, problems);
  return read && refuseComputed(read.path, `${path}.field`, problems, 'invalid_field') && read;
}
