import type { Repository } from 'typeorm';
import type { Actor } from '../auth/principal';
import type { Tx } from '../database/database';
import { demandFreeName } from '../database/resources/demand-free-name';
import type { Resource } from '../database/resources/resource.entity';
import { deleteVersion, saveNextVersion } from '../database/resources/versioned-writes';
import type { Problem } from '../http/problems/problem';
import type { AuditLog, Change } from './audit-log';
import type { AuditedAction } from './audited-actions';

/** What is created, updated and deleted by operators. */
type Kind = 'source' | 'tracking_plan' | 'transformation' | 'destination' | 'computed_trait';

interface KindOfResource<Entity extends Resource, Of extends Kind> {
  readonly resource: Of;
  /** How many there may be. */
  readonly most: number;
  readonly TooMany: new (most: number) => Problem;
  readonly NotFound: new (id: string) => Problem;
  /** What an operator sets of one, secrets masked. */
  readonly shown: (entity: Entity) => { readonly name: string };
  /** False where `?allowDuplicate=true` takes no name twice. */
  readonly mayRepeatNames?: false;
}

/** A change in its transaction. */
interface Write<Entity extends Resource, Of extends Kind> {
  readonly entities: Repository<Entity>;
  readonly tx: Tx;
  readonly actor: Actor;
  /** Whether another one may have the name. */
  readonly allowDuplicate?: boolean;
  /** Where a change is more than an update. */
  readonly action?: AuditedAction<Of> | undefined;
}

/** How resources of a kind are written: their names, their number, their versions, and an entry in the audit for each. */
export class AuditedWrites<Entity extends Resource, Of extends Kind> {
  constructor(
    private readonly audit: AuditLog,
    private readonly kind: KindOfResource<Entity, Of>,
  ) {}

  /** What an operator sets of one, as it is now. An update wants to know it from before. */
  shown(entity: Entity): { readonly name: string } {
    return this.kind.shown(entity);
  }

  /** @throws NameTakenError, TooMany */
  async create(entity: Entity, write: Write<Entity, Of>): Promise<Entity> {
    const { entities } = write;
    await this.demandName(entity, write);
    if ((await entities.count()) >= this.kind.most) throw new this.kind.TooMany(this.kind.most);
    const created = await entities.save(entity);
    await this.record(created.id, 'create', { after: this.shown(created) }, write);
    return created;
  }

  /**
   * Saves an entity that was changed since `before` was shown; answers the version that it had where it is the same all
   * the same, of which there is no entry.
   * @throws NameTakenError, ChangedMeanwhileError, NotFound
   */
  async update(entity: Entity, before: { readonly name: string }, write: Write<Entity, Of>): Promise<Entity> {
    if (entity.name !== before.name) await this.demandName(entity, write);
    const saved = await saveNextVersion(write.entities, entity, new this.kind.NotFound(entity.id));
    if (saved.version !== entity.version)
      await this.record(entity.id, write.action ?? 'update', { before, after: this.shown(saved) }, write);
    return saved;
  }

  /** @throws ChangedMeanwhileError, NotFound */
  async delete(entity: Entity, write: Write<Entity, Of>): Promise<void> {
    await deleteVersion(write.entities, entity, new this.kind.NotFound(entity.id));
    await this.record(entity.id, 'delete', { before: this.shown(entity) }, write);
  }

  private async demandName(entity: Entity, { entities, allowDuplicate }: Write<Entity, Of>): Promise<void> {
    const mayRepeat = this.kind.mayRepeatNames ?? true;
    if (!(mayRepeat && allowDuplicate)) await demandFreeName(entities, entity, { mayRepeat });
  }

  private async record(
    resourceId: string,
    action: AuditedAction<Of> | 'create' | 'update' | 'delete',
    states: { readonly before?: object; readonly after?: object },
    { tx, actor }: Write<Entity, Of>,
  ): Promise<void> {
    const { resource } = this.kind;
    // Each kind has these actions, which the compiler does not see of one that is generic here.
    await this.audit.record(tx, actor, { action, resource, resourceId, ...states } as Change);
  }
}
