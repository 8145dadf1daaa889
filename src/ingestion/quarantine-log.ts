import { Injectable } from '@nestjs/common';
import type { JsonObject, Subject } from '../events/customer-event';
import { EventStore } from '../events/event-store';
import { anonymousSubject, userSubject } from '../events/subject';
import { Database } from '../platform/database/database';
import { mayPass } from '../platform/database/failure';
import { dropQuarantinedByKey, keepQuarantinedEvents } from '../tracking-plans/quarantine/keep-quarantined-events';
import { StoreUnavailableError } from './ingestion-problems';
import type { IndexedEvent, QuarantinedEvent } from './parsing/check-events';

/** What became of the events of a request that a tracking plan quarantines. */
export interface KeptApart {
  readonly quarantined: readonly QuarantinedEvent[];
  /** Those that were accepted before: by an older version of the plan, or since they were released. */
  readonly known: readonly IndexedEvent[];
}

const NOTHING: KeptApart = { quarantined: [], known: [] };

/** Keeps events apart that a tracking plan quarantines. */
@Injectable()
export class QuarantineLog {
  constructor(
    private readonly database: Database,
    private readonly store: EventStore,
  ) {}

  /**
   * Resolves once they are on disk, so that a 200 means so. A duplicate of what is stored is not kept apart.
   * @throws StoreUnavailableError
   */
  async keepEvents(quarantined: readonly QuarantinedEvent[]): Promise<KeptApart> {
    if (quarantined.length === 0) return NOTHING;
    try {
      await keepQuarantinedEvents(quarantined.map(rowOf), this.database);
      return await this.withoutKnown(quarantined);
    } catch (error) {
      throw mayPass(error) ? new StoreUnavailableError() : error;
    }
  }

  /**
   * To be asked once they are kept, not before: a release that is under way stores an event before it lets its row go, and
   * whoever keeps that event waits for the row. So either the row is still there, or the event is known by now.
   */
  private async withoutKnown(quarantined: readonly QuarantinedEvent[]): Promise<KeptApart> {
    const keys = await this.store.findKnown(
      quarantined.map(({ event }) => event.key),
      this.database,
    );
    if (keys.size === 0) return { quarantined, known: [] };
    await dropQuarantinedByKey([...keys], this.database);
    return {
      quarantined: quarantined.filter(({ event }) => !keys.has(event.key)),
      known: quarantined.map(({ event }) => event).filter(({ key }) => keys.has(key)),
    };
  }
}

function rowOf({
  event,
  violations,
  plan,
}: QuarantinedEvent): Parameters<typeof keepQuarantinedEvents>[0][number] {
  const { id, key, sourceId, subject, type, name, messageId, timestampMs } = event;
  const payload = event.payload.toString();
  const codes = [...new Set(violations.map(({ code }) => code))];
  const subjects = [...new Set([subject, ...namedIn(JSON.parse(payload) as JsonObject)])];
  const by = { planId: plan.id, planVersion: plan.version };
  return { id, key, sourceId, ...by, codes, subject, subjects, type, name, messageId, timestampMs, payload };
}

/** Everybody whom an event names: it is erased with each of them. */
function namedIn({ userId, anonymousId, previousId }: JsonObject): Subject[] {
  return [
    ...textsIn(userId, previousId).map(userSubject),
    ...textsIn(anonymousId, previousId).map(anonymousSubject),
  ];
}

function textsIn(...values: readonly unknown[]): string[] {
  return values.filter((value) => typeof value === 'string');
}
