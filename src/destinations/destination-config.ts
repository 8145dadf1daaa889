import { isDeepStrictEqual } from 'node:util';
import { validate } from 'class-validator';
import { askConnector } from '../connectors/ask-connector';
import { type Connector, madeSecrets } from '../connectors/connector';
import { masksIn, pathText, type Secret, secretsIn, configValueAt } from '../connectors/secret-fields';
import type { JsonObject } from '../events/customer-event';
import { InvalidRequestError, type ProblemDetail } from '../platform/http/problems/problem';
import { findUnstorable } from '../platform/http/input/find-unstorable';
import { toInstance } from '../platform/http/input/to-instance';
import { toProblemDetails, VALIDATION_RULES } from '../platform/http/input/validation';

/** Somebody waits for it. */
const MAX_CHECK_MS = 10_000;

/** What a config takes the place of. */
interface ReplacedConfig {
  /** Secrets included. */
  readonly before: JsonObject;
  /** Secrets of it that the new config has without their having been given. */
  readonly kept: readonly Secret[];
}

/**
 * @throws InvalidRequestError with paths below `config`, when the connector refuses the config; SilentConnectorError
 */
export async function validateConfig(
  connector: Connector,
  config: JsonObject,
  replaced?: ReplacedConfig,
): Promise<void> {
  demandStorable(config);
  const instance = toInstance(connector.configClass, config, {}, 'config');
  const errors = await validate(instance, VALIDATION_RULES);
  if (errors.length > 0) throw new InvalidRequestError(toProblemDetails(errors, 'config'));
  if (replaced !== undefined) refuse(shownElsewhere(connector, config, replaced));
  const refused = await askConnector(MAX_CHECK_MS, () => connector.check?.(instance));
  const accepted = replaced === undefined ? [] : unchangedSecrets(connector, config, replaced.before);
  const found = [...foreignMasks(connector, config), ...(refused ?? [])];
  refuse(found.filter(({ path }) => !accepted.includes(path)));
}

/**
 * Connectors, which may be those of others, need not think of what PostgreSQL cannot keep.
 * @throws InvalidRequestError
 */
function demandStorable(config: JsonObject): void {
  const unstorable = findUnstorable(config, 'config');
  if (unstorable === undefined) return;
  const { path, problem } = unstorable;
  throw new InvalidRequestError([{ path, code: 'invalid_value', message: `${path} ${problem}` }]);
}

/** @throws InvalidRequestError */
function refuse(problems: readonly ProblemDetail[]): void {
  if (problems.length === 0) return;
  throw new InvalidRequestError(problems.map((problem) => ({ ...problem, path: `config.${problem.path}` })));
}

/**
 * Whoever may change a destination but not read its secrets must not learn them by having them sent somewhere else.
 * Before `check`, by which the connector may use them.
 */
function shownElsewhere(
  connector: Connector,
  config: JsonObject,
  { before, kept }: ReplacedConfig,
): ProblemDetail[] {
  if (connector.secretsGoTo === undefined || kept.length === 0) return [];
  if (connector.secretsGoTo(before) === connector.secretsGoTo(config)) return [];
  const made = madeSecrets(connector);
  const message = 'is sent to somebody else than before: give it again';
  return kept
    .filter(({ path: [top = ''] }) => !made.includes(top))
    .map(pathText)
    .map((path) => ({ path, code: 'secret_needed', message: `${path} ${message}` }));
}

/** Those that stay were accepted once, whatever a new one has to be like now. */
function unchangedSecrets({ secretFields }: Connector, config: JsonObject, before: JsonObject): string[] {
  const isUnchanged = ({ path, value }: Secret): boolean =>
    isDeepStrictEqual(configValueAt(before, path), value);
  return secretsIn(config, secretFields).filter(isUnchanged).map(pathText);
}

/** A mask that is no longer that of the secret, or was shown of another destination, must not become the secret. */
function foreignMasks({ secretFields }: Connector, config: JsonObject): ProblemDetail[] {
  const message = 'is the mask of another secret: give the secret itself, or leave it out';
  return masksIn(config, secretFields)
    .map(pathText)
    .map((path) => ({ path, code: 'masked_secret', message: `${path} ${message}` }));
}
