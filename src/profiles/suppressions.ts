import { Injectable } from '@nestjs/common';
import type { CustomerEvent, Subject } from '../events/customer-event';
import { userSubject } from '../events/subject';
import type { PreparedStatement, Tx } from '../platform/database/database';
import { Pseudonyms } from './pseudonyms';

const anySuppressionStatement: PreparedStatement = {
  name: 'any_suppression',
  text: 'select exists (select from suppression) as "any"',
};

const findSuppressionsStatement: PreparedStatement = {
  name: 'find_suppressions',
  text: `select encode(subject_hash, 'hex') as hash from suppression where subject_hash = any($1::bytea[])`,
};

const NOBODY_MS = 1_000;

const suppressSql = `
  insert into suppression (subject_hash) select unnest($1::bytea[]) on conflict do nothing`;

/** People whose events are refused. Only the pseudonym of each id is kept, so that the list itself names nobody. */
@Injectable()
export class Suppressions {
  /** Until then the list is taken to be empty, as it was found to be. */
  private nobodyUntilMs = 0;

  constructor(private readonly pseudonyms: Pseudonyms) {}

  async add(subjects: readonly Subject[], tx: Tx): Promise<void> {
    await tx.query(suppressSql, [[...(await this.pseudonyms.of(subjects, tx)).values()]]);
  }

  /** Those of the events that are about somebody who is suppressed, or that would make him known again. */
  async find(events: readonly CustomerEvent[], tx: Tx): Promise<CustomerEvent[]> {
    if (events.length === 0) return [];
    const [row] = await tx.query<{ any: boolean }>(anySuppressionStatement);
    this.nobodyUntilMs = row?.any === true ? 0 : Date.now() + NOBODY_MS;
    if (row?.any !== true) return [];
    const hashes = await this.pseudonyms.of(events.flatMap(mentioned), tx);
    const found = await tx.query<{ hash: string }>(findSuppressionsStatement, [[...hashes.values()]]);
    const suppressed = new Set(found.map(({ hash }) => hash));
    const isSuppressed = (subject: Subject): boolean =>
      suppressed.has(hashes.get(subject)?.toString('hex') ?? '');
    return events.filter((event) => mentioned(event).some(isSuppressed));
  }

  /** As `find`, for a first look that a second one follows: it may miss who has just become the first on the list. */
  async findEarly(events: readonly CustomerEvent[], tx: Tx): Promise<CustomerEvent[]> {
    return Date.now() < this.nobodyUntilMs ? [] : this.find(events, tx);
  }
}

function mentioned(event: CustomerEvent): Subject[] {
  return event.type === 'alias' ? [event.subject, userSubject(event.previousId)] : [event.subject];
}
