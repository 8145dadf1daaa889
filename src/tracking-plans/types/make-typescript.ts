import type { JsonObject } from '../../events/customer-event';
import { loadGenerator } from './load-generator';
import type { NamedPlan } from './make-types';
import { plainText } from './plain-text';
import { MEMBER_OF, plannedMembers, type TypedEventType } from './planned-members';
import { type CallsOfType, namelessKey, sdkTypes } from './sdk-types';

/** Of the interface that holds what the plan describes. */
const ROOT = 'PlannedMembers';
/** json-schema-to-typescript calls it on all objects of a schema, also on those that list members by their names. */
const UNTYPABLE = 'hasOwnProperty';

/** The plan has a name that no type can be written of. */
export class UntypableNameError extends Error {
  constructor() {
    super(`The plan has a property or an event called ${UNTYPABLE}, which TypeScript cannot be written of.`);
  }
}

/**
 * Types of what a plan describes, and of an SDK that takes nothing else. Prettier makes it readable.
 * @throws GeneratorMissingError, UntypableNameError
 */
export async function makeTypeScript({ name, content }: NamedPlan): Promise<string> {
  const { compile } = await loadGenerator('json-schema-to-typescript');
  const isStrict = content.unplannedEvents !== 'allow';
  const calls: CallsOfType[] = [];
  const members: JsonObject = {};
  for (const type of Object.keys(MEMBER_OF) as TypedEventType[]) {
    const planned = plannedMembers(type, content);
    if (planned === undefined) continue;
    const { named, nameless } = planned;
    if (nameless !== undefined) members[namelessKey(type)] = nameless;
    if (named.size > 0) members[type] = objectOf(Object.fromEntries(named));
    calls.push({ type, hasNamed: named.size > 0, hasNameless: nameless !== undefined, isStrict });
  }
  // A quotation mark in a text would have a backslash.
  if (JSON.stringify(members).includes(`"${UNTYPABLE}":`)) throw new UntypableNameError();
  const types = await compile(objectOf(members), ROOT, {
    bannerComment: '',
    enableConstEnums: false,
    ignoreMinAndMaxItems: true,
    style: { printWidth: 110, singleQuote: true },
  });
  const head = [
    `// Made by cdp types of the tracking plan ${JSON.stringify(plainText(name))}. Make it again instead of changing it.`,
    '/* eslint-disable */',
  ];
  return `${head.join('\n')}\n\n${types.trim()}\n\n${sdkTypes(calls)}`;
}

/** Each of the members is there. */
function objectOf(properties: JsonObject): JsonObject {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}
