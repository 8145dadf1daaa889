import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';

import { Repository } from 'typeorm';
import { type Connection, Database, type Tx } from '../platform/database/database';
import { ResourceRepository } from '../platform/database/resources/resource.repository';
import { TransformationNotFoundError } from './transformation-problems';
import { Transformation } from './transformation.entity';

/** What is to happen in the transaction of each change. */
type WhenChanged = (tx: Tx) => Promise<unknown>;

/** The transformations that operators write. */
@Injectable()
export class TransformationRepository extends ResourceRepository<Transformation> {
  private readonly listeners: WhenChanged[] = [];

  constructor(@InjectRepository(Transformation) all: Repository<Transformation>, database: Database) {
    super(all, database, TransformationNotFoundError);
  }

  /** Has another module tell those who keep copies of the code; call it in a constructor. */
  whenChanged(listener: WhenChanged): void {
    this.listeners.push(listener);
  }

  override change<T>(work: (all: Repository<Transformation>, tx: Connection) => Promise<T>): Promise<T> {
    return super.change(async (all, tx) => {
      const result = await work(all, tx);
      for (const listener of this.listeners) await listener(tx);
      return result;
    });
  }
}
