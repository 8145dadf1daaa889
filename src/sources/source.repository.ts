import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Database } from '../platform/database/database';
import { ResourceRepository } from '../platform/database/resources/resource.repository';
import { TransformationRepository } from '../transformations/transformation.repository';
import { SourceNotFoundError } from './source-problems';
import { Source } from './source.entity';

const countChangeSql = 'update source_change set version = version + 1';

/** The sources that operators configure. */
@Injectable()
export class SourceRepository extends ResourceRepository<Source> {
  constructor(
    @InjectRepository(Source) sources: Repository<Source>,
    database: Database,
    transformations: TransformationRepository,
  ) {
    super(sources, database, SourceNotFoundError, countChangeSql);
    // Workers have the code of a transformation with their webhooks.
    transformations.whenChanged((tx) => tx.query(countChangeSql));
  }
}
