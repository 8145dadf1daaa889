import { createHash, createHmac } from 'node:crypto';
import { isJsonObject, type JsonObject, type JsonValue } from '../../events/customer-event';
import { isKeptNumber, parseExactly, stringifyExactly } from '../../events/exact-json';
import { type EventPath, holdersOf, parseEventPath } from '../../events/event-path';
import type { Mapping } from './mapping';

/**
 * Changes an event's JSON. The same JSON gives the same bytes.
 * @param eventType what it is: its JSON may say something else, by a transformation
 */
export type MapEvent = (body: string, eventType: string) => string;

type Step = (event: JsonObject) => JsonObject;

/** Compiles a mapping that {@link parseMapping} has let pass. */
export function compileMapping(mapping: Mapping): MapEvent {
  const hashSteps = (mapping.hash ?? []).map((entry) =>
    hashStep(toPath(entry.path), digestOf(entry, mapping.hashKey)),
  );
  const steps: Step[] = [
    ...pickStep(mapping.pick),
    ...(mapping.drop ?? []).map((path) => dropStep(toPath(path))),
    ...hashSteps,
    ...(mapping.rename ?? []).map(({ from, to }) => renameStep(toPath(from), toPath(to))),
    ...(mapping.constant ?? []).map(({ path, value }) => constantStep(toPath(path), value)),
  ];
  const deletionSteps = [...hashSteps, ...idListSteps(mapping)];
  return (body, eventType) => {
    let event = parseExactly(body) as JsonObject;
    // A deletion says no more than what it is and of whom: its receiver needs all of that, by the ids it knows.
    for (const step of eventType === 'delete' ? deletionSteps : steps) event = step(event);
    return stringifyExactly(event);
  };
}

/** What is to be kept: `true` is everything below. */
type Picked = true | Map<string, Picked>;

function pickStep(paths: readonly string[] | undefined): Step[] {
  if (paths === undefined) return [];
  const root: Picked = new Map();
  for (const path of paths) addPicked(root, toPath(path));
  return [(event) => pickFrom(event, root) as JsonObject];
}

function addPicked(root: Map<string, Picked>, path: EventPath): void {
  let node = root;
  for (const step of path.slice(0, -1)) {
    const next = node.get(step) ?? new Map<string, Picked>();
    if (next === true) return; // A shorter path keeps all of it already.
    node.set(step, next);
    node = next;
  }
  node.set(path.at(-1) ?? '', true);
}

function pickFrom(value: JsonValue, picked: Picked): JsonValue | undefined {
  if (picked === true) return value;
  if (Array.isArray(value)) {
    return value.map((item) => pickFrom(item, picked)).filter((item) => item !== undefined);
  }
  if (!isJsonObject(value)) return undefined;
  const kept: JsonObject = {};
  for (const [member, inner] of Object.entries(value)) {
    const below = picked.get(member);
    const result = below === undefined ? undefined : pickFrom(inner, below);
    if (result !== undefined) kept[member] = result;
  }
  return kept;
}

function dropStep(path: EventPath): Step {
  const member = path.at(-1) ?? '';
  return (event) => {
    for (const holder of holdersOf(event, path)) delete holder[member];
    return event;
  };
}

function hashStep(path: EventPath, digest: (text: string) => string): Step {
  const member = path.at(-1) ?? '';
  return (event) => {
    for (const holder of holdersOf(event, path)) {
      const value = Object.hasOwn(holder, member) ? holder[member] : null;
      if (value === null || value === undefined) continue;
      const isText = typeof value === 'string' && !isKeptNumber(value);
      holder[member] = digest(isText ? value : stringifyExactly(value));
    }
    return event;
  };
}

/**
 * The lists of all ids in a deletion: they show no id that events do not show, and hashed where events have it hashed.
 */
function idListSteps({ pick, drop, hash, hashKey }: Mapping): Step[] {
  return ['userId', 'anonymousId'].map((member) => (event) => {
    const list = `${member}s`;
    const isHidden = drop?.includes(member) === true || pick?.includes(member) === false;
    const ids = event[list];
    if (isHidden || !Array.isArray(ids)) delete event[list];
    else {
      const digests = (hash ?? [])
        .filter(({ path }) => path === member)
        .map((entry) => digestOf(entry, hashKey));
      event[list] = ids
        .filter((id) => typeof id === 'string')
        .map((id) => digests.reduce((text, digest) => digest(text), id));
    }
    return event;
  });
}

function digestOf(
  { method = 'hmac-sha256', normalize = false }: NonNullable<Mapping['hash']>[number],
  key = '',
): (text: string) => string {
  return (text) => {
    const input = normalize ? text.trim().toLowerCase() : text;
    const hash = method === 'sha256' ? createHash('sha256') : createHmac('sha256', key);
    return hash.update(input).digest('hex');
  };
}

function renameStep(from: EventPath, to: EventPath): Step {
  const member = from.at(-1) ?? '';
  return (event) => {
    const holder = objectAt(event, from.slice(0, -1));
    const value = holder !== undefined && Object.hasOwn(holder, member) ? holder[member] : undefined;
    if (holder === undefined || value === undefined) return event;
    delete holder[member];
    return put(event, to, value);
  };
}

function constantStep(path: EventPath, value: JsonValue): Step {
  return (event) => put(event, path, value);
}

function objectAt(event: JsonObject, path: EventPath): JsonObject | undefined {
  let value: JsonValue | undefined = event;
  for (const step of path) {
    if (!isJsonObject(value) || !Object.hasOwn(value, step)) return undefined;
    value = value[step];
  }
  return isJsonObject(value) ? value : undefined;
}

/** Sets a member; on the way, makes objects of what is none. */
function put(event: JsonObject, path: EventPath, value: JsonValue): JsonObject {
  let holder = event;
  for (const step of path.slice(0, -1)) {
    const next = Object.hasOwn(holder, step) ? holder[step] : undefined;
    const object = isJsonObject(next) ? next : {};
    holder[step] = object;
    holder = object;
  }
  holder[path.at(-1) ?? ''] = value;
  return event;
}

function toPath(text: string): EventPath {
  return parseEventPath(text) ?? [];
}
