import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { fieldChanges } from '../configuration/field-changes';
import { Deliveries } from '../delivery/deliveries';
import { type NewNotice, serviceNotice } from '../delivery/new-notices';
import type { JsonObject } from '../events/customer-event';
import { changesConfiguration } from '../platform/audit/audited-actions';
import { isAnyUntoldSql, takeUntoldChanges, type UntoldChange } from '../platform/audit/take-untold';
import { Lookout, type Watch } from '../platform/background/lookout';
import { Database } from '../platform/database/database';

/** Told of in one transaction at most. */
const PAGE = 100;
/** They change with everything else. */
const NOT_CONFIGURED = ['version', 'createdAt', 'updatedAt'];

/**
 * Tells the destinations that ask for it who changed what, from the audit. An entry is taken and its deliveries are
 * written in one transaction; where nobody asks, entries are only taken.
 */
@Injectable()
export class ChangeNotices implements OnModuleDestroy {
  private readonly logger = new Logger(ChangeNotices.name);
  private readonly watch: Watch;

  constructor(
    private readonly database: Database,
    private readonly deliveries: Deliveries,
    lookout: Lookout,
  ) {
    this.watch = lookout.watch<boolean>({
      sql: isAnyUntoldSql,
      act: (isAny) => (isAny ? this.tellAll() : Promise.resolve()),
      report: (error) => this.logger.warn(`Operators are told of changes later: ${String(error)}`),
    });
  }

  onModuleDestroy(): void {
    void this.watch.stop();
  }

  private async tellAll(): Promise<void> {
    while ((await this.tellSome()) === PAGE && !this.watch.stopping);
  }

  private async tellSome(): Promise<number> {
    const { taken, made } = await this.database.transaction(async (tx) => {
      const changes = await takeUntoldChanges(PAGE, tx);
      const notices = changes.filter(isConfigured).map(noticeOf);
      return { taken: changes.length, ...(await this.deliveries.announce(notices, tx)) };
    });
    await this.deliveries.enqueue(made);
    return taken;
  }
}

function noticeOf(change: UntoldChange): NewNotice {
  const { id: auditId, actor, actorKind, action, resource, resourceId, resourceName: name, at } = change;
  const what = `${resource.replaceAll('_', ' ')}${name === null ? '' : ` "${name}"`}`;
  const fields = fieldsOf(change);
  return serviceNotice(
    {
      kind: 'configuration_changed',
      text: `${actor}: ${action.replaceAll('_', ' ')} ${what}.`,
      properties: { auditId, actor, actorKind, action, resource, resourceId, name, fields },
    },
    at.toISOString(),
  );
}

/** What the service does by itself has a notice of its own. */
function isConfigured({ resource, action, actorKind }: UntoldChange): boolean {
  return changesConfiguration(resource, action) && actorKind !== 'service';
}

/** The members that an update has changed; no values, for they may be what somebody keeps to himself. */
function fieldsOf({ before, after }: UntoldChange): string[] {
  if (before === null || after === null) return [];
  return fieldChanges(before as JsonObject, after as JsonObject)
    .map(({ path }) => path)
    .filter((path) => !NOT_CONFIGURED.includes(path));
}
