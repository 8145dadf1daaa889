import { isDeepStrictEqual } from 'node:util';
import { plainToInstance } from 'class-transformer';
import { validate } from 'class-validator';
import { askConnector } from '../connectors/ask-connector';
import type { Connector } from '../connectors/connector';
import type { JsonObject, JsonValue } from '../events/customer-event';
import { InvalidRequestError, type ProblemDetail } from '../platform/http/problem';
import { isMask, maskSecret } from '../platform/secrets/mask-secret';
import { toProblemDetails, VALIDATION_RULES } from '../platform/http/validation';

/** Somebody waits for it. */
const MAX_CHECK_MS = 10_000;

/** A connector's settings, taken apart for storage. */
export interface SplitConfig {
  readonly settings: JsonObject;
  readonly secrets: JsonObject;
}

/**
 * @param oldSecrets those of them that stay were accepted once, whatever a new one has to be like now
 * @throws InvalidRequestError with paths below `config`, when the connector refuses the config; SilentConnectorError
 */
export async function validateConfig(
  connector: Connector,
  config: JsonObject,
  oldSecrets: JsonObject = {},
): Promise<void> {
  const instance = plainToInstance(connector.configClass, config);
  const errors = await validate(instance, VALIDATION_RULES);
  if (errors.length > 0) throw new InvalidRequestError(toProblemDetails(errors, 'config'));
  const stays = ({ path }: ProblemDetail): boolean =>
    path in oldSecrets && isDeepStrictEqual(config[path], oldSecrets[path]);
  const refused = await askConnector(MAX_CHECK_MS, () => connector.check?.(instance));
  const found = [...masksIn(config, connector.secretFields), ...(refused ?? [])];
  const problems = found.filter((problem) => !stays(problem));
  if (problems.length === 0) return;
  throw new InvalidRequestError(problems.map((problem) => ({ ...problem, path: `config.${problem.path}` })));
}

/** A mask that is no longer that of the secret, or was shown of another destination, must not become the secret. */
function masksIn(config: JsonObject, secretFields: readonly string[]): ProblemDetail[] {
  const message = 'is the mask of another secret: give the secret itself, or leave it out';
  return secretFields
    .filter((field) => isMask(config[field]))
    .map((path) => ({ path, code: 'masked_secret', message: `${path} ${message}` }));
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
