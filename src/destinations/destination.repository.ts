import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Database } from '../platform/database/database';
import { ResourceRepository } from '../platform/database/resource.repository';
import { DestinationNotFoundError } from './destination-problems';
import { Destination } from './destination.entity';

/** The destinations that operators configure. */
@Injectable()
export class DestinationRepository extends ResourceRepository<Destination> {
  constructor(@InjectRepository(Destination) destinations: Repository<Destination>, database: Database) {
    super(destinations, database, DestinationNotFoundError);
  }
}
