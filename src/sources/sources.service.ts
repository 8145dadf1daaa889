import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { isUUID } from 'class-validator';
import { Repository } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import { brokenUniqueConstraint } from '../platform/http/database-outage';
import { SecretBox } from '../platform/secrets/secret-box';
import type { CreateSourceDto } from './dto/create-source.dto';
import { SourceDto } from './dto/source.dto';
import type { UpdateSourceDto } from './dto/update-source.dto';
import { Source } from './source.entity';
import { SourceNameTakenError, SourceNotFoundError } from './source-problems';
import { hashWriteKey, newWriteKey } from './write-key';
import { WriteKeys } from './write-keys';

/** Keeps the sources that an operator configures. */
@Injectable()
export class SourcesService {
  constructor(
    @InjectRepository(Source) private readonly sources: Repository<Source>,
    private readonly secretBox: SecretBox,
    private readonly writeKeys: WriteKeys,
  ) {}

  async findAll(): Promise<SourceDto[]> {
    const sources = await this.sources.find({ order: { id: 'asc' } });
    return sources.map((source) => this.toDto(source));
  }

  /** @throws SourceNotFoundError */
  async findOne(sourceId: string): Promise<SourceDto> {
    return this.toDto(await this.load(sourceId));
  }

  /** @throws SourceNameTakenError */
  async create({ name, description = '', enabled = true }: CreateSourceDto): Promise<SourceDto> {
    const id = uuidv7();
    const writeKey = newWriteKey(id);
    const source = this.sources.create({
      id,
      name,
      description,
      enabled,
      writeKeyHash: hashWriteKey(writeKey),
      writeKeySealed: this.secretBox.seal(writeKey),
      version: 1,
    });
    return this.toDto(await this.save(source));
  }

  /** Changes the members that are given. @throws SourceNotFoundError, SourceNameTakenError */
  async update(sourceId: string, changes: UpdateSourceDto): Promise<SourceDto> {
    const source = await this.load(sourceId);
    source.name = changes.name ?? source.name;
    source.description = changes.description ?? source.description;
    source.enabled = changes.enabled ?? source.enabled;
    source.version += 1;
    return this.toDto(await this.save(source));
  }

  /** @throws SourceNotFoundError */
  async delete(sourceId: string): Promise<void> {
    await this.sources.remove(await this.load(sourceId));
    this.writeKeys.forget();
  }

  private async load(sourceId: string): Promise<Source> {
    const source = isUUID(sourceId) ? await this.sources.findOneBy({ id: sourceId }) : null;
    if (source === null) throw new SourceNotFoundError(sourceId);
    return source;
  }

  private async save(source: Source): Promise<Source> {
    try {
      const saved = await this.sources.save(source);
      this.writeKeys.forget();
      return saved;
    } catch (error) {
      if (brokenUniqueConstraint(error) === 'source_name_uq') throw new SourceNameTakenError(source.name);
      throw error;
    }
  }

  private toDto(source: Source): SourceDto {
    return SourceDto.from(source, this.secretBox.open(source.writeKeySealed));
  }
}
