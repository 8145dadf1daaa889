import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Database, type Tx } from '../platform/database/database';
import { ResourceRepository } from '../platform/database/resources/resource.repository';
import { countDestinationChangeSql } from './destination-change';
import { DestinationNotFoundError } from './destination-problems';
import { Destination } from './destination.entity';
import { TransformationRepository } from '../transformations/transformation.repository';

/** What is to happen, in the same transaction, when an operator switches a destination on or off. */
type WhenSwitched = (destinationId: string, enabled: boolean, tx: Tx) => Promise<unknown>;

/** The destinations that operators configure. */
@Injectable()
export class DestinationRepository extends ResourceRepository<Destination> {
  private readonly listeners: WhenSwitched[] = [];

  constructor(
    @InjectRepository(Destination) destinations: Repository<Destination>,
    database: Database,
    transformations: TransformationRepository,
  ) {
    super(destinations, database, DestinationNotFoundError, countDestinationChangeSql);
    // Workers have the code of a transformation with their destinations.
    transformations.whenChanged((tx) => tx.query(countDestinationChangeSql));
  }

  /** Has another module keep up what it knows of destinations; call it in a constructor. */
  whenSwitched(listener: WhenSwitched): void {
    this.listeners.push(listener);
  }

  async tellSwitched(destinationId: string, enabled: boolean, tx: Tx): Promise<void> {
    for (const listener of this.listeners) await listener(destinationId, enabled, tx);
  }
}
