import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject, type JsonValue } from '../events/customer-event';
import { isMask, maskSecret } from '../platform/secrets/mask-secret';

/**
 * Where the secrets of a config are, as `secretFields` of a connector says it: `token`, `auth.password` in the object
 * `auth`, `headers.*` for each member of the object `headers`.
 */
type SecretFields = readonly string[];

/** A secret of a config. The names of members may have dots in them, so that a path is no text. */
export interface Secret {
  readonly path: readonly string[];
  readonly value: JsonValue;
  /** It is there by the `*` of a field: another config need not have it. */
  readonly isMember: boolean;
}

/** A connector's settings, taken apart for storage. */
interface SplitConfig {
  readonly settings: JsonObject;
  /** As in the config, without all that is no secret: `{"secret": "…", "headers": {"X-Key": "…"}}`. */
  readonly secrets: JsonObject;
}

/** All the secrets that a config has. */
export function secretsIn(config: JsonObject, fields: SecretFields): Secret[] {
  const found: Secret[] = [];
  replaceSecrets(config, fields, (secret) => {
    found.push(secret);
    return secret.value;
  });
  return found;
}

/** `headers.X-Key`, as problems name it. */
export function pathText({ path }: Pick<Secret, 'path'>): string {
  return path.join('.');
}

export function splitConfig(config: JsonObject, fields: SecretFields): SplitConfig {
  const secrets: JsonObject = {};
  const settings = replaceSecrets(config, fields, ({ path, value }) => {
    placeValue(secrets, path, value);
    return undefined;
  });
  return { settings, secrets };
}

/** The other way round. */
export function mergeSecrets(settings: JsonObject, secrets: JsonObject): JsonObject {
  const merged = Object.entries(secrets).map(([name, secret]) => {
    const setting = own(settings, name);
    return [name, isJsonObject(setting) && isJsonObject(secret) ? mergeSecrets(setting, secret) : secret];
  });
  return { ...settings, ...(Object.fromEntries(merged) as JsonObject) };
}

/** What takes the place of a secret; undefined takes it out. */
type Replace = (secret: Secret) => JsonValue | undefined;

/**
 * A copy with something else in the place of each secret. Its cost grows with the length of the config: no connector
 * may have said yet how many members are too many.
 */
export function replaceSecrets(config: JsonObject, fields: SecretFields, replace: Replace): JsonObject {
  const top = { path: [], isMember: false };
  return fields.reduce((rest, field) => replaceWithin(rest, field.split('.'), top, replace), config);
}

/** What is sealed, to be shown. Of members that no field names, as while their connector is missing, nothing is. */
export function maskSecrets(secrets: JsonObject, fields: SecretFields): JsonObject {
  const tops = fields.map((field) => field.split('.')[0]);
  const known = Object.entries(secrets).filter(([name]) => tops.includes(name));
  const { secrets: shown } = splitConfig(Object.fromEntries(known), fields);
  const unknown = Object.entries(secrets).filter(([name]) => !tops.includes(name));
  return {
    ...replaceSecrets(shown, fields, ({ value }) => mask(value)),
    ...Object.fromEntries(unknown.map(([name, value]) => [name, mask(value)])),
  };
}

/** A config that takes the place of another one. */
interface KeptSecrets {
  readonly config: JsonObject;
  /** Those of the old config that it has, although they were not given. */
  readonly kept: readonly Secret[];
}

/**
 * A secret that is the mask of the old one, or is left out of what has it, is the old one. Of an object with a `type`
 * (`auth`) only while that is the same; of one without (`tls`), as a member (`headers.*`), it is gone when it is left
 * out. One that is null is gone, too.
 */
export function keepSecrets(given: JsonObject, old: JsonObject, fields: SecretFields): KeptSecrets {
  const kept = secretsIn(old, fields).filter((secret) => isKept(secret, given, old));
  const config = withoutNullSecrets(given, fields);
  for (const { path, value } of kept) placeValue(config, path, value);
  return { config, kept };
}

/**
 * A copy in which a secret that is null is left out: there is to be none. That of a member (`headers.*`) is a mistake.
 */
export function withoutNullSecrets(config: JsonObject, fields: SecretFields): JsonObject {
  return replaceSecrets(config, fields, ({ value, isMember }) =>
    value === null && !isMember ? undefined : value,
  );
}

/** Secrets that are masks. */
export function masksIn(config: JsonObject, fields: SecretFields): Secret[] {
  return secretsIn(config, fields).filter(({ value }) => isMask(value));
}

/** The value at a path; undefined when it is not there. */
export function configValueAt(config: JsonObject, path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (value, name) => (isJsonObject(value) ? own(value, name) : undefined),
    config,
  );
}

/** Copies each object that it comes to. */
function replaceWithin(
  holder: JsonObject,
  [step, ...rest]: readonly string[],
  above: Pick<Secret, 'path' | 'isMember'>,
  replace: Replace,
): JsonObject {
  const entries = Object.entries(holder).map(([name, value]): readonly [string, JsonValue | undefined] => {
    if (value === undefined || (step !== '*' && step !== name)) return [name, value];
    const place = { path: [...above.path, name], isMember: above.isMember || step === '*' };
    if (rest.length === 0) return [name, replace({ ...place, value })];
    return [name, isJsonObject(value) ? replaceWithin(value, rest, place, replace) : value];
  });
  return Object.fromEntries(entries.filter(isThere));
}

function isThere(entry: readonly [string, JsonValue | undefined]): entry is readonly [string, JsonValue] {
  return entry[1] !== undefined;
}

function isKept({ path, value, isMember }: Secret, given: JsonObject, old: JsonObject): boolean {
  const [above, name = ''] = [path.slice(0, -1), path.at(-1)];
  const [holder, before] = [configValueAt(given, above), configValueAt(old, above)];
  if (!isJsonObject(holder) || !isJsonObject(before)) return false;
  const now = own(holder, name);
  if (isMember) return now === mask(value);
  const type = own(before, 'type');
  if (above.length > 0 && !isDeepStrictEqual(own(holder, 'type'), type)) return false;
  const staysIfLeftOut = above.length === 0 || type !== undefined;
  return now === undefined ? staysIfLeftOut : now === mask(value);
}

/** Changes the object: it and those on the way are copies. */
function placeValue(holder: JsonObject, [name = '', ...rest]: readonly string[], value: JsonValue): void {
  const inner = own(holder, name);
  const below = isJsonObject(inner) ? inner : {};
  const placed = rest.length === 0 ? value : below;
  // An assignment to `__proto__` would place nothing.
  Object.defineProperty(holder, name, {
    value: placed,
    configurable: true,
    enumerable: true,
    writable: true,
  });
  if (rest.length > 0) placeValue(below, rest, value);
}

function own(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Of an object nothing is shown: its last characters might be those of a short secret. */
function mask(secret: JsonValue): string {
  return typeof secret === 'object' && secret !== null ? '****' : maskSecret(String(secret));
}
