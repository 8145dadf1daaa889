import { isUUID } from 'class-validator';
import { type FindOptionsWhere, In, MoreThan, type Repository } from 'typeorm';
import type { PageQueryDto } from '../../http/resources/page';
import type { Problem } from '../../http/problems/problem';
import type { Database, Connection } from '../database';
import type { Resource } from './resource.entity';
import { retryRaces } from '../transactions/retry-races';
import { within } from '../transactions/within';

/** Reads resources of one kind that operators configure, and changes them in transactions of `Database`. */
export abstract class ResourceRepository<Entity extends Resource> {
  constructor(
    private readonly entities: Repository<Entity>,
    private readonly database: Database,
    private readonly NotFound: new (id: string) => Problem,
    /** Ends each change of them: what processes that keep a copy compare, see `LiveCopy`. */
    private readonly countChangeSql?: string,
  ) {}

  /** In the order of creation; one more than `limit`, so that the caller knows whether there are more. */
  findPage({ limit, cursor }: PageQueryDto = {}): Promise<Entity[]> {
    const where = cursor === undefined ? {} : { id: MoreThan(cursor) };
    return this.entities.find({
      where: where as FindOptionsWhere<Entity>,
      take: limit === undefined ? undefined : limit + 1,
      order: { id: 'asc' } as never, // The declared type wants to know the columns of an entity that is generic here.
    });
  }

  async findOne(id: string): Promise<Entity | undefined> {
    return isUUID(id) ? ((await this.entities.findOneBy(byId<Entity>(id))) ?? undefined) : undefined;
  }

  /** @throws NotFound */
  async get(id: string): Promise<Entity> {
    const entity = await this.findOne(id);
    if (entity === undefined) throw new this.NotFound(id);
    return entity;
  }

  /** Those of them that are there. */
  findMany(ids: readonly string[]): Promise<Entity[]> {
    return this.entities.findBy({ id: In([...new Set(ids)]) } as FindOptionsWhere<Entity>);
  }

  async exists(id: string): Promise<boolean> {
    return isUUID(id) && this.entities.existsBy(byId<Entity>(id));
  }

  /** @throws NotFound */
  async demand(id: string): Promise<void> {
    if (!(await this.exists(id))) throw new this.NotFound(id);
  }

  /** Runs `work` in one transaction, and again where it loses a race against another one. */
  change<T>(work: (entities: Repository<Entity>, tx: Connection) => Promise<T>): Promise<T> {
    return retryRaces(() =>
      this.database.transaction(async (tx) => {
        const result = await work(within(tx, this.entities), tx);
        if (this.countChangeSql !== undefined) await tx.query(this.countChangeSql);
        return result;
      }),
    );
  }
}

function byId<Entity extends Resource>(id: string): FindOptionsWhere<Entity> {
  return { id } as FindOptionsWhere<Entity>;
}
