import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { isUUID } from 'class-validator';
import { Repository } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import type { Connector } from '../connectors/connector';
import { ConnectorRegistry } from '../connectors/registry';
import type { JsonObject } from '../events/customer-event';
import { brokenUniqueConstraint } from '../platform/http/database-outage';
import { SecretBox } from '../platform/secrets/secret-box';
import { keepSecrets, maskSecrets, splitConfig, validateConfig } from './destination-config';
import { Destination } from './destination.entity';
import { DestinationRouting } from './destination-routing';
import {
  DestinationNameTakenError,
  DestinationNotFoundError,
  DestinationTypeFixedError,
  UnknownConnectorError,
} from './destination-problems';
import type { CreateDestinationDto } from './dto/create-destination.dto';
import { DestinationDto } from './dto/destination.dto';
import type { UpdateDestinationDto } from './dto/update-destination.dto';

/** Keeps the destinations that an operator configures; their secrets are sealed at rest. */
@Injectable()
export class DestinationsService {
  constructor(
    @InjectRepository(Destination) private readonly destinations: Repository<Destination>,
    private readonly connectors: ConnectorRegistry,
    private readonly secretBox: SecretBox,
    private readonly routing: DestinationRouting,
  ) {}

  async findAll(): Promise<DestinationDto[]> {
    const destinations = await this.destinations.find({ order: { id: 'asc' } });
    return destinations.map((destination) => this.toMaskedDto(destination));
  }

  /** @throws DestinationNotFoundError */
  async findOne(destinationId: string): Promise<DestinationDto> {
    return this.toMaskedDto(await this.load(destinationId));
  }

  /** Answers the secrets in full, which nothing else does. */
  async create(given: CreateDestinationDto): Promise<DestinationDto> {
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
      ...(await this.routing.read(given)),
      enabled,
      version: 1,
    });
    return this.toDto(await this.save(destination), secrets);
  }

  /** Changes the members that are given. @throws DestinationNotFoundError, DestinationNameTakenError */
  async update(destinationId: string, changes: UpdateDestinationDto): Promise<DestinationDto> {
    const destination = await this.load(destinationId);
    if ((changes.type ?? destination.type) !== destination.type) throw new DestinationTypeFixedError();
    if (changes.config !== undefined) await this.replaceConfig(destination, changes.config);
    Object.assign(destination, await this.routing.read(changes, destination));
    destination.name = changes.name ?? destination.name;
    destination.enabled = changes.enabled ?? destination.enabled;
    destination.version += 1;
    return this.toMaskedDto(await this.save(destination));
  }

  /** @throws DestinationNotFoundError */
  async delete(destinationId: string): Promise<void> {
    await this.destinations.remove(await this.load(destinationId));
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

  private async replaceConfig(destination: Destination, given: JsonObject): Promise<void> {
    const connector = this.connectorOf(destination.type);
    const config = keepSecrets(given, this.openSecrets(destination));
    await validateConfig(connector, config);
    const { settings, secrets } = splitConfig(connector, config);
    destination.config = settings;
    destination.secretsSealed = this.seal(secrets);
  }

  private async save(destination: Destination): Promise<Destination> {
    try {
      return await this.destinations.save(destination);
    } catch (error) {
      if (brokenUniqueConstraint(error) !== 'destination_name_uq') throw error;
      throw new DestinationNameTakenError(destination.name);
    }
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
