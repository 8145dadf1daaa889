import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DestinationsService } from '../destinations/destinations.service';
import type { DestinationDto } from '../destinations/dto/destination.dto';
import type { SegmentDto } from '../segments/api/dto/segment.dto';
import { SegmentsService } from '../segments/api/segments.service';
import type { SourceDto } from '../sources/dto/source.dto';
import { SourcesService } from '../sources/sources.service';

/** Everything that is configured. */
export interface Configuration {
  readonly sources: readonly SourceDto[];
  readonly segments: readonly SegmentDto[];
  readonly destinations: readonly DestinationDto[];
}

@Injectable()
export class ConfigurationReader {
  constructor(
    private readonly sources: SourcesService,
    private readonly segments: SegmentsService,
    private readonly destinations: DestinationsService,
  ) {}

  async read(): Promise<Configuration> {
    const [sources, segments, destinations] = await Promise.all([
      this.sources.findAll(),
      this.segments.findAll(),
      this.destinations.findAll(),
    ]);
    return { sources, segments, destinations };
  }
}

/** Another one after any change of any resource: the `ETag` without its quotes. */
export function versionOf({ sources, segments, destinations }: Configuration): string {
  const versions = [...sources, ...segments, ...destinations].map(({ id, version }) => [id, version]);
  return createHash('sha256').update(JSON.stringify(versions)).digest('base64url');
}
