import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import { type Connector, madeSecrets } from '../connectors/connector';
import { ConnectorRegistry } from '../connectors/registry';
import {
  keepSecrets,
  maskSecrets,
  mergeSecrets,
  type Secret,
  secretsIn,
  splitConfig,
  withoutNullSecrets,
} from '../connectors/secret-fields';
import type { JsonObject } from '../events/customer-event';
import { databaseNowMs } from '../platform/database/connections/database-clock';
import { InvalidRequestError } from '../platform/http/problems/problem';
import { refuseTogether } from '../platform/http/problems/refuse-together';
import { SecretBox } from '../platform/secrets/secret-box';
import { validateConfig } from './destination-config';
import { completeOrder } from './complete-order';
import { demandFit } from './demand-fit';
import { type DeliveryOrder, Destination } from './destination.entity';
import {
  DEFAULT_OVERLAP_SECONDS,
  mistakeInPrevious,
  openPrevious,
  sealPrevious,
  stillGood,
} from './previous-secrets';
import { DestinationTypeFixedError, UnknownConnectorError } from './destination-problems';
import { DestinationRouting } from './destination-routing';
import { areSecretsReadable, openSecrets } from './open-secrets';
import type { CreateDestinationDto, OrderDto, RateLimitDto } from './dto/create-destination.dto';
import { DestinationDto } from './dto/destination.dto';
import type { UpdateDestinationDto } from './dto/update-destination.dto';

/**
 * Turns what clients say about a destination into the entity, checked and with its secrets sealed, and back. Stores
 * nothing.
 */
@Injectable()
export class DestinationEditor {
  constructor(
    private readonly connectors: ConnectorRegistry,
    private readonly secretBox: SecretBox,
    private readonly routing: DestinationRouting,
  ) {}

  /** A new destination. @throws InvalidRequestError, UnknownConnectorError */
  async make(given: CreateDestinationDto): Promise<Destination> {
    const { name, type, config, enabled = true } = given;
    const connector = this.connectorOf(type);
    const complete = withoutNullSecrets({ ...connector.newSecrets?.(), ...config }, connector.secretFields);
    const [, routing] = await refuseTogether(validateConfig(connector, complete), this.routing.read(given));
    const { settings, secrets } = splitConfig(complete, connector.secretFields);
    const made = Object.assign(new Destination(), {
      id: uuidv7(),
      name,
      type,
      config: settings,
      secretsSealed: this.seal(secrets),
      ...sealPrevious([], this.secretBox),
      ...routing,
      rateLimit: rateLimitOf(given.rateLimit),
      order: orderOf(given.order),
      orderedAt: null,
      enabled,
      version: 1,
    });
    demandFit(made, connector);
    return made;
  }

  /** Changes the members that are given. @throws InvalidRequestError, DestinationTypeFixedError */
  async apply(changes: UpdateDestinationDto, destination: Destination): Promise<void> {
    if ((changes.type ?? destination.type) !== destination.type) throw new DestinationTypeFixedError();
    const [routing] = await refuseTogether(
      this.routing.read(changes, destination),
      this.replaceConfig(destination, changes.config),
    );
    Object.assign(destination, routing);
    if (changes.rateLimit !== undefined) destination.rateLimit = rateLimitOf(changes.rateLimit);
    if (changes.order !== undefined) reorder(destination, changes.order);
    demandFit(destination, this.connectors.get(destination.type));
    destination.name = changes.name ?? destination.name;
    destination.enabled = changes.enabled ?? destination.enabled;
    if (destination.enabled) destination.disabledReason = null;
  }

  /** In full. */
  secretsOf(destination: Destination): Secret[] {
    return secretsIn(this.openSecrets(destination) ?? {}, this.fieldsOf(destination));
  }

  toMaskedDto(destination: Destination): DestinationDto {
    const secrets = this.openSecrets(destination);
    const shown = secrets === undefined ? {} : maskSecrets(secrets, this.fieldsOf(destination));
    return this.toDto(destination, shown);
  }

  /**
   * With those secrets in full that the service makes when they are left out: receivers have to be told them. What
   * another party gave out, like a token, is masked even for the caller who brought it.
   */
  toCreatedDto(destination: Destination): DestinationDto {
    const secrets = this.openSecrets(destination) ?? {};
    const connector = this.connectors.get(destination.type);
    const shared = connector === undefined ? [] : madeSecrets(connector);
    const shown = Object.entries(secrets).filter(([name]) => shared.includes(name));
    const masked = maskSecrets(secrets, this.fieldsOf(destination));
    return this.toDto(destination, { ...masked, ...Object.fromEntries(shown) });
  }

  private openSecrets({ secretsSealed }: Destination): JsonObject | undefined {
    return openSecrets(secretsSealed, this.secretBox);
  }

  private fieldsOf({ type }: Destination): readonly string[] {
    return this.connectors.get(type)?.secretFields ?? [];
  }

  private connectorOf(type: string): Connector {
    const connector = this.connectors.get(type);
    if (connector === undefined) throw new UnknownConnectorError(type, this.connectors.ids());
    return connector;
  }

  private async replaceConfig(destination: Destination, given: JsonObject | undefined): Promise<void> {
    if (given === undefined) return;
    const connector = this.connectorOf(destination.type);
    // What is not readable cannot be kept: it has to be given.
    const oldSecrets = this.openSecrets(destination);
    const before = mergeSecrets(destination.config, oldSecrets ?? {});
    const { config, kept } = keepSecrets(given, before, connector.secretFields);
    await validateConfig(connector, config, { before, kept }).catch((error: unknown) => {
      throw error instanceof InvalidRequestError ? sayThatConfigIsWhole(error, config) : error;
    });
    const { settings, secrets } = splitConfig(config, connector.secretFields);
    destination.config = settings;
    if (isDeepStrictEqual(secrets, oldSecrets)) return;
    if (oldSecrets !== undefined && !isSignedAsBefore(connector, secrets, oldSecrets))
      this.putAside(destination, connector, oldSecrets);
    destination.secretsSealed = this.seal(secrets);
  }

  /** @throws InvalidRequestError when too many sign already */
  private putAside(destination: Destination, connector: Connector, secrets: JsonObject): void {
    const nowMs = databaseNowMs();
    const signing = madeSecrets(connector);
    // Of secrets that are not for signing there is use for the last ones alone.
    const known = signing.length === 0 ? [] : openPrevious(destination, this.secretBox);
    const untilMs = nowMs + DEFAULT_OVERLAP_SECONDS * 1000;
    const previous = [{ secrets, untilMs }, ...stillGood(known, nowMs)];
    const mistake = mistakeInPrevious(previous);
    if (mistake !== undefined) {
      const path = `config.${signing[0]}`;
      throw new InvalidRequestError([{ path, code: 'too_many_secrets', message: `${path}: ${mistake}` }]);
    }
    Object.assign(destination, sealPrevious(previous, this.secretBox));
  }

  private seal(secrets: JsonObject): string {
    return this.secretBox.seal(JSON.stringify(secrets));
  }

  private toDto(destination: Destination, shownSecrets: JsonObject): DestinationDto {
    const connectorInstalled = this.connectors.get(destination.type) !== undefined;
    const secretsReadable = areSecretsReadable(destination, this.secretBox);
    return DestinationDto.from(destination, shownSecrets, { connectorInstalled, secretsReadable });
  }
}

/** Then a rotation that is under way goes on: receivers may still check against the secrets before it. */
function isSignedAsBefore(connector: Connector, secrets: JsonObject, oldSecrets: JsonObject): boolean {
  const signing = madeSecrets(connector);
  return signing.length > 0 && signing.every((name) => isDeepStrictEqual(secrets[name], oldSecrets[name]));
}

/** A caller who changes one setting may take the config for a patch. */
function sayThatConfigIsWhole({ errors }: InvalidRequestError, config: JsonObject): InvalidRequestError {
  const hint =
    '; a config replaces the old one as a whole, except for secrets that are left out: null takes one away';
  const isLeftOut = (path: string): boolean => config[path.split(/[.[]/)[1] ?? ''] === undefined;
  return new InvalidRequestError(
    errors.map((error) => (isLeftOut(error.path) ? { ...error, message: `${error.message}${hint}` } : error)),
  );
}

function rateLimitOf(rateLimit: RateLimitDto | null | undefined): Destination['rateLimit'] {
  return rateLimit === undefined || rateLimit === null ? null : { perSecond: rateLimit.perSecond };
}

function orderOf(order: OrderDto | null | undefined): DeliveryOrder | null {
  return order === undefined || order === null ? null : completeOrder(order);
}

function reorder(destination: Destination, given: OrderDto | null): void {
  const order = orderOf(given);
  if ((destination.order === null) !== (order === null)) destination.orderedAt = new Date(databaseNowMs());
  destination.order = order;
}
