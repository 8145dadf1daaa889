import { Injectable, Logger } from '@nestjs/common';
import { AuditLog } from '../platform/audit/audit-log';
import type { Actor } from '../platform/auth/principal';
import { Database } from '../platform/database/database';
import { problemOf } from '../platform/http/problems/problem-details';
import { type ExpectedVersions, VersionMismatchError } from '../platform/http/resources/version';
import { ChangeWarnings, type Warnings } from './change-warnings';
import { ConfigurationApplier } from './configuration-applier';
import { ConfigurationPlanner } from './configuration-planner';
import { ConfigurationPartlyAppliedError } from './configuration-problems';
import { ConfigurationLock, type DemandLock } from './configuration-lock';
import type { ConfigDocumentDto } from './dto/config-document.dto';
import type { ConfigResultDto, ResourceChangeDto } from './dto/config-result.dto';
import { kindOf, type Plan, type PlannedChange } from './planned-change';

/** How a document is applied. */
interface ApplyOptions {
  /** Deletes what the lists of the document do not hold. */
  readonly prune: boolean;
  /** The versions of the whole configuration that it may meet; undefined is any. */
  readonly expected: ExpectedVersions;
}

/** What would be changed, and the version of the configuration that it would be changed from. */
type Preview = ConfigResultDto & Pick<Plan, 'version'>;

/** Applies documents that say all that is configured. */
@Injectable()
export class ConfigurationService {
  private readonly logger = new Logger(ConfigurationService.name);

  constructor(
    private readonly planner: ConfigurationPlanner,
    private readonly applier: ConfigurationApplier,
    private readonly warnings: ChangeWarnings,
    private readonly lock: ConfigurationLock,
    private readonly database: Database,
    private readonly audit: AuditLog,
  ) {}

  /**
   * What a document would change, and the version of the configuration of which that is true.
   * @throws InvalidRequestError with paths into the document, AmbiguousNameError, VersionMismatchError
   */
  async preview(document: ConfigDocumentDto, options: ApplyOptions): Promise<Preview> {
    const plan = await this.plan(document, options);
    return { version: plan.version, changes: await this.describe(plan) };
  }

  /**
   * Makes the configuration what the document says. Everything is checked before the first change.
   * @throws what `preview` throws, ConfigurationBusyError, ConfigurationPartlyAppliedError
   */
  async apply(document: ConfigDocumentDto, options: ApplyOptions, actor: Actor): Promise<ConfigResultDto> {
    return this.lock.take(async (demandLock) => {
      const plan = await this.plan(document, options);
      const changes = await this.carryOut(plan, actor, demandLock);
      if (changes.length > 0) await this.writeDown(changes, actor);
      return { changes };
    });
  }

  private async plan(document: ConfigDocumentDto, { prune, expected }: ApplyOptions): Promise<Plan> {
    const plan = await this.planner.plan(document, prune);
    if (expected !== undefined && !expected.has(plan.version)) throw new VersionMismatchError();
    return plan;
  }

  /** Before anything is done. */
  private async describe(plan: Plan): Promise<ResourceChangeDto[]> {
    const warnings = await this.warnings.of(plan);
    return plan.changes.map((change) => toDto(change, warnings));
  }

  private async carryOut(plan: Plan, actor: Actor, demandLock: DemandLock): Promise<ResourceChangeDto[]> {
    const done = await this.describe(plan);
    let next = 0;
    try {
      for await (const _ of this.applier.carryOut(plan, actor, demandLock)) {
        const step = done[next++];
        if (step !== undefined) step.applied = true;
      }
    } catch (error) {
      const failed = done[next];
      if (failed === undefined) throw error;
      const cause = problemOf(error);
      if (cause.unexpected) this.logger.error('A configuration was not applied as a whole', error);
      throw new ConfigurationPartlyAppliedError(cause, failed, done);
    }
    return done;
  }

  private writeDown(applied: readonly ResourceChangeDto[], actor: Actor): Promise<void> {
    const changes = applied.map(({ action, kind, name }) => ({ action, kind, name }));
    return this.audit.record(this.database, actor, {
      action: 'apply',
      resource: 'configuration',
      resourceId: actor.requestId,
      after: { changes },
    });
  }
}

function toDto(change: PlannedChange, warnings: Warnings): ResourceChangeDto {
  const { action, name } = change;
  const fields = change.action === 'update' ? [...change.fields] : [];
  const told = [...(warnings.get(change) ?? [])];
  return { action, kind: kindOf(change), name, fields, warnings: told, applied: false };
}
