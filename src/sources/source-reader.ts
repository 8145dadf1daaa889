import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database';
import type { PageQueryDto } from '../platform/http/resources/page';
import { HeardSourceDto } from './dto/heard-source.dto';
import type { SourceDto } from './dto/source.dto';
import { readLastEvents } from './last-events';
import { SourcesService } from './sources.service';

/** Sources as people look at them: as they are configured, and when each sent something last. */
@Injectable()
export class SourceReader {
  constructor(
    private readonly sources: SourcesService,
    private readonly database: Database,
  ) {}

  /** In the order of creation; one more than `limit`, so that the caller knows whether there are more. */
  async findAll(page: PageQueryDto): Promise<HeardSourceDto[]> {
    return this.heard(await this.sources.findAll(page));
  }

  /** @throws SourceNotFoundError */
  async findOne(sourceId: string): Promise<HeardSourceDto> {
    const source = await this.sources.findOne(sourceId);
    return (await this.heard([source]))[0] as HeardSourceDto;
  }

  private async heard(sources: readonly SourceDto[]): Promise<HeardSourceDto[]> {
    const ids = sources.map(({ id }) => id);
    const lastEvents = await readLastEvents(ids, this.database);
    return sources.map((source) => HeardSourceDto.of(source, lastEvents.get(source.id)));
  }
}
