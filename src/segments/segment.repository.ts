import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Database } from '../platform/database/database';
import { ResourceRepository } from '../platform/database/resources/resource.repository';
import { SegmentNotFoundError } from './segment-problems';
import { Segment } from './segment.entity';

/** The segments that operators configure. */
@Injectable()
export class SegmentRepository extends ResourceRepository<Segment> {
  constructor(@InjectRepository(Segment) segments: Repository<Segment>, database: Database) {
    super(segments, database, SegmentNotFoundError);
  }
}
