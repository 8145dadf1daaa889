import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Database, type Tx } from '../platform/database/database';
import { ResourceRepository } from '../platform/database/resources/resource.repository';
import { type Askers, isAsked } from './askers';
import { segmentsThatAsk } from './definitions/segment-references';
import { DestinationNames } from './destination-names';
import { SegmentInUseError, SegmentNotFoundError } from './segment-problems';
import { Segment } from './segment.entity';

/** The segments that operators configure. */
@Injectable()
export class SegmentRepository extends ResourceRepository<Segment> {
  constructor(
    @InjectRepository(Segment) segments: Repository<Segment>,
    database: Database,
    private readonly destinations: DestinationNames,
  ) {
    super(segments, database, SegmentNotFoundError);
  }

  /** With the lock of all definitions held. @throws SegmentInUseError */
  async demandUnused({ id, name }: Pick<Segment, 'id' | 'name'>, tx: Tx): Promise<void> {
    const askers: Askers = {
      segments: await segmentsThatAsk(id, tx),
      destinations: await this.destinations.thatAskAbout(id, tx),
    };
    if (isAsked(askers)) throw new SegmentInUseError(name, askers);
  }
}
