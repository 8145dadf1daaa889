import { plainToInstance } from 'class-transformer';
import { validate } from 'class-validator';
import type { Connector } from '../connectors/connector';
import type { JsonObject, JsonValue } from '../events/customer-event';
import { InvalidRequestError } from '../platform/http/problem';
import { maskSecret } from '../platform/secrets/mask-secret';
import { toProblemDetails, VALIDATION_RULES } from '../platform/http/validation';

/** A connector's settings, taken apart for storage. */
export interface SplitConfig {
  readonly settings: JsonObject;
  readonly secrets: JsonObject;
}

/** @throws InvalidRequestError with paths below `config`, when the connector refuses the config. */
export async function validateConfig(connector: Connector, config: JsonObject): Promise<void> {
  const instance = plainToInstance(connector.configClass, config);
  const errors = await validate(instance, VALIDATION_RULES);
  if (errors.length > 0) throw new InvalidRequestError(toProblemDetails(errors, 'config'));
  const problems = (await connector.check?.(instance)) ?? [];
  if (problems.length === 0) return;
  throw new InvalidRequestError(problems.map((problem) => ({ ...problem, path: `config.${problem.path}` })));
}

export function splitConfig(connector: Connector, config: JsonObject): SplitConfig {
  const isSecret = ([name]: [string, JsonValue]): boolean => connector.secretFields.includes(name);
  const members = Object.entries(config);
  return {
    settings: Object.fromEntries(members.filter((member) => !isSecret(member))),
    secrets: Object.fromEntries(members.filter(isSecret)),
  };
}

/** A new config in place of the old one: a secret that is left out, or is the mask of the old one, is kept. */
export function keepSecrets(given: JsonObject, oldSecrets: JsonObject): JsonObject {
  const kept = Object.entries(oldSecrets).filter(
    ([name, secret]) => given[name] === undefined || given[name] === mask(secret),
  );
  return { ...given, ...Object.fromEntries(kept) };
}

export function maskSecrets(secrets: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(secrets).map(([name, secret]) => [name, mask(secret)]));
}

function mask(secret: JsonValue): string {
  return maskSecret(typeof secret === 'string' ? secret : JSON.stringify(secret));
}
