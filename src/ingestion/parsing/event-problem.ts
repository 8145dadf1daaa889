import type { ErrorObject } from 'ajv';
import { EVENT_TYPES, type EventType } from '../../events/customer-event';
import { MAX_ID_LENGTH } from '../../events/subject';
import type { ViolationCode } from '../../tracking-plans/language/plan';
import { MAX_MESSAGE_ID_LENGTH, MAX_NAME_BYTES } from './limits';
import type { SentMembers } from './read-members';

/** The ways an event can be wrong. Stable: clients and dashboards count them. */
export type EventProblemCode =
  | 'not_an_object'
  | 'missing_type'
  | 'unknown_type'
  | 'missing_message_id'
  | 'invalid_message_id'
  | 'missing_timestamp'
  | 'invalid_timestamp'
  | 'missing_event_name'
  | 'invalid_event_name'
  | 'missing_identity'
  | 'missing_user_id'
  | 'missing_group_id'
  | 'missing_previous_id'
  | 'invalid_id'
  | 'invalid_name'
  | 'invalid_category'
  | 'invalid_properties'
  | 'invalid_traits'
  | 'invalid_context'
  | 'event_too_large'
  | 'event_too_deep'
  | 'event_not_storable'
  // Of a tracking plan.
  | ViolationCode;

/** One thing that is wrong with one event. */
export interface EventProblem {
  readonly code: EventProblemCode;
  /** The member, e.g. `timestamp`; empty for the event as a whole. */
  readonly path: string;
  /** For people; says what to do. */
  readonly message: string;
  /** Of a tracking plan that finds it wrong, and the keyword of its schema. */
  readonly rule?: string;
  readonly keyword?: string;
}

/** What is said about a fault, whose first word is the path. */
type Telling = readonly [fault: string, code: EventProblemCode, message: string];

const TYPES = EVENT_TYPES.join(', ');

/** By fault (see {@link faultOf}), in the order in which they are told. */
const TELLINGS: readonly Telling[] = [
  ['type missing', 'missing_type', `Give the type: one of ${TYPES}.`],
  ['type bad', 'unknown_type', `The type must be one of ${TYPES}.`],
  [
    'messageId missing',
    'missing_message_id',
    'Give a messageId: it keeps a resent event from counting twice.',
  ],
  [
    'messageId bad',
    'invalid_message_id',
    `The messageId must be a string of 1 to ${MAX_MESSAGE_ID_LENGTH} characters, or a number.`,
  ],
  ['timestamp missing', 'missing_timestamp', 'Give the timestamp of the event in ISO 8601.'],
  ...badTimes('timestamp', 'originalTimestamp'),
  ...badIds('userId', 'anonymousId', 'groupId', 'previousId'),
  ['userId missing', 'missing_user_id', 'An alias event needs a userId.'],
  ...missingIdentities('track', 'identify', 'page', 'screen'),
  ['groupId missing', 'missing_group_id', 'A group event needs a groupId.'],
  ['previousId missing', 'missing_previous_id', 'An alias event needs a previousId.'],
  ['event missing', 'missing_event_name', 'A track event needs its name in `event`.'],
  badName('event', 'invalid_event_name'),
  badName('category', 'invalid_category'),
  badName('name', 'invalid_name'),
  badObject('context', 'invalid_context'),
  badObject('properties', 'invalid_properties'),
  badObject('traits', 'invalid_traits'),
];

const PROBLEMS: ReadonlyMap<string, { readonly rank: number; readonly problem: EventProblem }> = new Map(
  TELLINGS.map(([fault, code, message], rank) => {
    const path = fault.slice(0, fault.indexOf(' '));
    return [fault, { rank, problem: { code, path, message } }];
  }),
);

/** Says in words what a schema finds wrong: each fault once. */
export function tellProblems(errors: readonly ErrorObject[], members: SentMembers): EventProblem[] {
  const found = new Set(errors.flatMap((error) => PROBLEMS.get(faultOf(error, members)) ?? []));
  return [...found].sort((a, b) => a.rank - b.rank).map(({ problem }) => problem);
}

/** The member that is missing or bad. An error that another one sums up is none of the faults above. */
function faultOf({ keyword, schemaPath, instancePath, params }: ErrorObject, members: SentMembers): string {
  if (keyword === 'anyOf') return `userId of a ${String(members.type)}`;
  if (keyword === 'required') return schemaPath === '#/required' ? `${params.missingProperty} missing` : '';
  const member = instancePath.slice(1);
  return `${member === 'timestamp' ? members.timeMember : member} bad`;
}

function badTimes(...members: readonly string[]): Telling[] {
  return members.map((member) => [
    `${member} bad`,
    'invalid_timestamp',
    `The ${member} must be ISO 8601, like 2026-01-31T12:00:00.000Z.`,
  ]);
}

function badIds(...members: readonly string[]): Telling[] {
  return members.map((member) => [
    `${member} bad`,
    'invalid_id',
    `The ${member} must be a string of 1 to ${MAX_ID_LENGTH} characters, or a number.`,
  ]);
}

function missingIdentities(...types: readonly EventType[]): Telling[] {
  return types.map((type) => [
    `userId of a ${type}`,
    'missing_identity',
    `A ${type} event needs a userId or an anonymousId.`,
  ]);
}

function badName(member: string, code: EventProblemCode): Telling {
  return [`${member} bad`, code, `The ${member} must be a string of at most ${MAX_NAME_BYTES} bytes.`];
}

function badObject(member: string, code: EventProblemCode): Telling {
  return [`${member} bad`, code, `The ${member} must be a JSON object.`];
}
