import { Injectable } from '@nestjs/common';
import type { JsonObject } from '../events/customer-event';
import { EventStore } from '../events/event-store';
import { subjectsNamedIn } from '../events/subject';
import type { TailedRejection } from '../events/tail/read-tail';
import { tellTail } from '../events/tail/tell-tail';
import { Database, type Tx } from '../platform/database/database';
import { mayPass } from '../platform/database/failure';
import {
  dropQuarantinedByKey,
  keepQuarantinedEvents,
  type NewQuarantinedEvent,
} from '../tracking-plans/quarantine/keep-quarantined-events';
import { StoreUnavailableError } from './ingestion-problems';
import type { IndexedEvent, EventToQuarantine } from './parsing/check-events';

/** What became of the events of a request that a tracking plan quarantines. */
export interface KeptApart {
  readonly quarantined: readonly EventToQuarantine[];
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
   * Resolves once they are on disk, so that a 200 means so, or are when the transaction is. A duplicate of what is
   * stored is not kept apart.
   * @throws StoreUnavailableError
   */
  async keepEvents(quarantined: readonly EventToQuarantine[], tx: Tx = this.database): Promise<KeptApart> {
    if (quarantined.length === 0) return NOTHING;
    try {
      const rows = quarantined.map(rowOf);
      const added = await keepQuarantinedEvents(rows, tx);
      const known = await this.dropKnown(rows, tx);
      const news = rows.filter(({ id, key }) => added.has(id) && !known.has(key));
      if (news.length > 0) await tellTail(news.map(toldOf), tx);
      return {
        quarantined: quarantined.filter(({ event }) => !known.has(event.key)),
        known: quarantined.map(({ event }) => event).filter(({ key }) => known.has(key)),
      };
    } catch (error) {
      throw mayPass(error) ? new StoreUnavailableError() : error;
    }
  }

  /**
   * To be asked once they are kept, not before: a release stores an event and deletes its row by one commit, for which
   * whoever keeps that event waits. So either the row was still there, or the event is known by now.
   */
  private async dropKnown(rows: readonly NewQuarantinedEvent[], tx: Tx): Promise<ReadonlySet<string>> {
    const keys = rows.map(({ key }) => key);
    const known = await this.store.findKnown(keys, tx);
    if (known.size > 0) await dropQuarantinedByKey([...known], tx);
    return known;
  }
}

function rowOf({ event, violations, plan }: EventToQuarantine): NewQuarantinedEvent {
  const { id, key, sourceId, subject, type, name, messageId, timestampMs } = event;
  const payload = event.payload.toString();
  const codes = [...new Set(violations.map(({ code }) => code))];
  const subjects = [...new Set([subject, ...subjectsNamedIn(JSON.parse(payload) as JsonObject)])];
  const by = { planId: plan.id, planVersion: plan.version };
  return { id, key, sourceId, ...by, codes, subject, subjects, type, name, messageId, timestampMs, payload };
}

/** As one that is rejected, which it is to processes of an older release. */
function toldOf(row: NewQuarantinedEvent): TailedRejection {
  const { id, sourceId, codes, messageId, type, name = null, subjects, payload, ...rest } = row;
  const { planId, planVersion, subject, timestampMs } = rest;
  return {
    id,
    sourceId,
    codes: [...codes],
    paths: [],
    messageId,
    type,
    name,
    subjects: [...subjects],
    library: null,
    libraryVersion: null,
    payload,
    others: 0,
    quarantine: { planId, planVersion, subject, timestampMs },
  };
}
