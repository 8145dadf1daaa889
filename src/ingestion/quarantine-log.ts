import { Injectable } from '@nestjs/common';
import type { JsonObject, Subject } from '../events/customer-event';
import { anonymousSubject, userSubject } from '../events/subject';
import { Database } from '../platform/database/database';
import { mayPass } from '../platform/database/failure';
import { keepQuarantinedEvents } from '../tracking-plans/quarantine/keep-quarantined-events';
import { StoreUnavailableError } from './ingestion-problems';
import type { QuarantinedEvent } from './parsing/check-events';

/** Keeps events apart that a tracking plan quarantines. */
@Injectable()
export class QuarantineLog {
  constructor(private readonly database: Database) {}

  /** Resolves once they are on disk, so that a 200 means so. @throws StoreUnavailableError */
  async keepEvents(quarantined: readonly QuarantinedEvent[]): Promise<void> {
    if (quarantined.length === 0) return;
    try {
      await keepQuarantinedEvents(quarantined.map(rowOf), this.database);
    } catch (error) {
      throw mayPass(error) ? new StoreUnavailableError() : error;
    }
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
