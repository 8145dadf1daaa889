import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Database } from '../../platform/database/database';
import { ResourceRepository } from '../../platform/database/resources/resource.repository';
import { ComputedTraitNotFoundError } from './computed-trait-problems';
import { ComputedTrait } from './computed-trait.entity';

/** The computed traits that operators define. */
@Injectable()
export class ComputedTraitRepository extends ResourceRepository<ComputedTrait> {
  constructor(@InjectRepository(ComputedTrait) traits: Repository<ComputedTrait>, database: Database) {
    super(traits, database, ComputedTraitNotFoundError);
  }
}
