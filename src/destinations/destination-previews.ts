import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { pathText } from '../connectors/secret-fields';
import { SecretBox } from '../platform/secrets/secret-box';
import { DestinationEditor } from './destination-editor';
import type { Destination } from './destination.entity';
import { DestinationRepository } from './destination.repository';
import type { CreateDestinationDto } from './dto/create-destination.dto';
import type { DestinationDto } from './dto/destination.dto';
import type { UpdateDestinationDto } from './dto/update-destination.dto';
import { openMapping } from './mapping/seal-mapping';

/** What an update would make of a destination. */
export interface DestinationPreview {
  readonly before: DestinationDto;
  readonly after: DestinationDto;
  /**
   * Paths of the secrets that would be others, which their masks may not show: `config.secret`, `config.headers.X-Key`,
   * `mapping.hashKey`.
   */
  readonly changedSecrets: readonly string[];
}

/** Checks changes of destinations without making them. */
@Injectable()
export class DestinationPreviews {
  constructor(
    private readonly destinations: DestinationRepository,
    private readonly editor: DestinationEditor,
    private readonly secretBox: SecretBox,
  ) {}

  /** @throws what creating it would throw */
  async checkCreate(given: CreateDestinationDto): Promise<void> {
    await this.editor.make(given);
  }

  /** @throws what updating it would throw */
  async ofUpdate(destinationId: string, changes: UpdateDestinationDto): Promise<DestinationPreview> {
    const destination = await this.destinations.get(destinationId);
    const before = this.editor.toMaskedDto(destination);
    const secretsBefore = this.allSecrets(destination);
    await this.editor.apply(changes, destination);
    const secretsAfter = this.allSecrets(destination);
    const paths = Object.keys({ ...secretsBefore, ...secretsAfter });
    return {
      before,
      after: this.editor.toMaskedDto(destination),
      changedSecrets: paths.filter((path) => !isDeepStrictEqual(secretsBefore[path], secretsAfter[path])),
    };
  }

  private allSecrets(destination: Destination): Record<string, unknown> {
    const config = this.editor.secretsOf(destination);
    const hashKey =
      destination.mapping === null ? undefined : openMapping(destination.mapping, this.secretBox)?.hashKey;
    return {
      ...Object.fromEntries(config.map((secret) => [`config.${pathText(secret)}`, secret.value])),
      ...(hashKey === undefined ? {} : { 'mapping.hashKey': hashKey }),
    };
  }
}
