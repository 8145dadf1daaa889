import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { isUUID } from 'class-validator';
import { type EntityManager, MoreThan, Repository } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import { type Connector, isBatchConnector } from '../connectors/connector';
import { ConnectorRegistry } from '../connectors/registry';
import type { JsonObject } from '../events/customer-event';
import { AuditLog, type Change } from '../platform/audit/audit-log';
import type { Actor } from '../platform/auth/principal';
import { deleteVersion, saveNextVersion } from '../platform/database/versioned';
import type { PageQueryDto } from '../platform/http/page';
import { InvalidRequestError } from '../platform/http/problem';
import { demandVersion, type ExpectedVersions } from '../platform/http/version';
import { SecretBox } from '../platform/secrets/secret-box';
import { keepSecrets, maskSecrets, splitConfig, validateConfig } from './destination-config';
import { Destination } from './destination.entity';
import { DestinationRouting } from './destination-routing';
import {
  DestinationNotFoundError,
  DestinationTypeFixedError,
  TooManyDestinationsError,
  UnknownConnectorError,
} from './destination-problems';
import type { CreateDestinationDto, RateLimitDto } from './dto/create-destination.dto';
import { DestinationDto } from './dto/destination.dto';
import type { UpdateDestinationDto } from './dto/update-destination.dto';

/** Routing looks at every destination for every event. */
const MAX_DESTINATIONS = 10_000;
/** How long receivers may still check against the secrets before a change of them. */
const SECRET_OVERLAP_MS = 24 * 3600_000;

/** Keeps the destinations that an operator configures; their secrets are sealed at rest. */
@Injectable()
export class DestinationsService {
  constructor(
    @InjectRepository(Destination) private readonly destinations: Repository<Destination>,
    private readonly connectors: ConnectorRegistry,
    private readonly secretBox: SecretBox,
    private readonly routing: DestinationRouting,
    private readonly audit: AuditLog,
  ) {}

  /** In the order of creation; one more than `limit`, so that the caller knows whether there are more. */
  async findAll({ limit, cursor }: PageQueryDto = {}): Promise<DestinationDto[]> {
    const where = cursor === undefined ? {} : { id: MoreThan(cursor) };
    const take = limit === undefined ? undefined : limit + 1;
    const destinations = await this.destinations.find({ where, take, order: { id: 'asc' } });
    return destinations.map((destination) => this.toMaskedDto(destination));
  }

  /** @throws DestinationNotFoundError */
  async findOne(destinationId: string): Promise<DestinationDto> {
    return this.toMaskedDto(await this.load(destinationId));
  }

  /** Answers the secrets in full, which nothing else does. @throws InvalidRequestError */
  async create(given: CreateDestinationDto, actor: Actor): Promise<DestinationDto> {
    const { name, type, config, enabled = true } = given;
    const connector = this.connectorOf(type);
    const complete = { ...connector.newSecrets?.(), ...config };
    await validateConfig(connector, complete);
    const { settings, secrets } = splitConfig(connector, complete);
    const destination = this.destinations.create({
      id: uuidv7(),
      name,
      type,
      config: settings,
      secretsSealed: this.seal(secrets),
      previousSecretsSealed: null,
      previousSecretsUntil: null,
      ...(await this.routing.read(given)),
      rateLimit: rateLimitFor(connector, given.rateLimit),
      enabled,
      version: 1,
    });
    return this.change(async (tx) => {
      if ((await tx.count(Destination)) >= MAX_DESTINATIONS)
        throw new TooManyDestinationsError(MAX_DESTINATIONS);
      const created = await tx.save(destination);
      await this.record(tx, actor, 'create', { after: this.toMaskedDto(created) });
      return this.toDto(created, secrets);
    });
  }

  /** Changes the members that are given. @throws DestinationNotFoundError, VersionMismatchError */
  async update(
    destinationId: string,
    changes: UpdateDestinationDto,
    actor: Actor,
    expected?: ExpectedVersions,
  ): Promise<DestinationDto> {
    const destination = await this.load(destinationId);
    demandVersion(expected, destination.version);
    const before = this.toMaskedDto(destination);
    await this.apply(changes, destination);
    return this.change(async (tx) => {
      const gone = new DestinationNotFoundError(destinationId);
      const after = this.toMaskedDto(await saveNextVersion(tx, Destination, destination, gone));
      await this.record(tx, actor, 'update', { before, after });
      return after;
    });
  }

  /** @throws DestinationNotFoundError, VersionMismatchError */
  async delete(destinationId: string, actor: Actor, expected?: ExpectedVersions): Promise<void> {
    const destination = await this.load(destinationId);
    demandVersion(expected, destination.version);
    await this.change(async (tx) => {
      await deleteVersion(tx, Destination, destination, new DestinationNotFoundError(destinationId));
      await this.record(tx, actor, 'delete', { before: this.toMaskedDto(destination) });
    });
  }

  private async load(destinationId: string): Promise<Destination> {
    const destination = isUUID(destinationId)
      ? await this.destinations.findOneBy({ id: destinationId })
      : null;
    if (destination === null) throw new DestinationNotFoundError(destinationId);
    return destination;
  }

  private connectorOf(type: string): Connector {
    const connector = this.connectors.get(type);
    if (connector === undefined) throw new UnknownConnectorError(type, this.connectors.ids());
    return connector;
  }

  private async apply(changes: UpdateDestinationDto, destination: Destination): Promise<void> {
    if ((changes.type ?? destination.type) !== destination.type) throw new DestinationTypeFixedError();
    if (changes.config !== undefined) await this.replaceConfig(destination, changes.config);
    Object.assign(destination, await this.routing.read(changes, destination));
    if (changes.rateLimit !== undefined) {
      destination.rateLimit = rateLimitFor(this.connectors.get(destination.type), changes.rateLimit);
    }
    destination.name = changes.name ?? destination.name;
    destination.enabled = changes.enabled ?? destination.enabled;
  }

  private async replaceConfig(destination: Destination, given: JsonObject): Promise<void> {
    const connector = this.connectorOf(destination.type);
    const oldSecrets = this.openSecrets(destination);
    const config = keepSecrets(given, oldSecrets);
    await validateConfig(connector, config);
    const { settings, secrets } = splitConfig(connector, config);
    destination.config = settings;
    if (JSON.stringify(secrets) === JSON.stringify(oldSecrets)) return;
    destination.previousSecretsSealed = destination.secretsSealed;
    destination.previousSecretsUntil = new Date(Date.now() + SECRET_OVERLAP_MS);
    destination.secretsSealed = this.seal(secrets);
  }

  private change<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return this.destinations.manager.transaction(work);
  }

  private async record(
    tx: EntityManager,
    actor: Actor,
    action: string,
    states: { readonly before?: DestinationDto; readonly after?: DestinationDto },
  ): Promise<void> {
    const resourceId = states.after?.id ?? states.before?.id ?? '';
    const change: Change = { action, resource: 'destination', resourceId, ...states };
    await this.audit.record(tx, actor, change);
  }

  private seal(secrets: JsonObject): string {
    return this.secretBox.seal(JSON.stringify(secrets));
  }

  private openSecrets(destination: Destination): JsonObject {
    return JSON.parse(this.secretBox.open(destination.secretsSealed)) as JsonObject;
  }

  private toMaskedDto(destination: Destination): DestinationDto {
    return this.toDto(destination, maskSecrets(this.openSecrets(destination)));
  }

  private toDto(destination: Destination, shownSecrets: JsonObject): DestinationDto {
    const isInstalled = this.connectors.get(destination.type) !== undefined;
    return DestinationDto.from(destination, shownSecrets, isInstalled);
  }
}

/** @throws InvalidRequestError when the connector sends no single events that could be counted */
function rateLimitFor(
  connector: Connector | undefined,
  rateLimit: RateLimitDto | null | undefined,
): Destination['rateLimit'] {
  if (rateLimit === undefined || rateLimit === null) return null;
  if (connector !== undefined && isBatchConnector(connector)) {
    const message = `rateLimit is not for ${connector.id}, which sends batches`;
    throw new InvalidRequestError([{ path: 'rateLimit', code: 'not_supported', message }]);
  }
  return { perSecond: rateLimit.perSecond };
}
