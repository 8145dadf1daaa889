import { Inject, Injectable } from '@nestjs/common';
import type { CustomerEvent, Subject } from '../events/customer-event';
import { Config } from '../platform/config/config';
import type { Tx } from '../platform/database/database';
import { type Link, linksOf } from '../profiles/identity/links';
import { planFolds } from '../profiles/identity/plan-folds';
import { readFamilies } from '../profiles/identity/read-identities';

/** Events of the people $1 that are accepted and not processed, in the order in which they will be. */
const waitingEventsSql = `
  select e.payload::text as payload, k.subject
  from inbox as i
  cross join lateral unnest(i.subjects, i.timestamps, i.event_ids) with ordinality as k(subject, at, event_id, n)
  cross join lateral (
    select payload from event where subject = k.subject and "timestamp" = k.at and id = k.event_id limit 1
  ) as e
  where i.subjects && $1::text[] and k.subject = any($1::text[])
  order by i.id, k.n`;

/** Which subjects are one person. */
@Injectable()
export class Family {
  private readonly maxIds: number;

  constructor(@Inject(Config) config: Config) {
    this.maxIds = config.profiles.maxIds;
  }

  /**
   * All subjects of a person, the given one included, as they will be once the person's waiting events are processed:
   * what a visitor did is the user's as soon as an event that says so is accepted.
   */
  async of(subject: Subject, tx: Tx): Promise<Subject[]> {
    let family: readonly Subject[] = [subject];
    for (;;) {
      const links = await waitingLinks(family, tx);
      const known = await readFamilies([...family, ...links.flatMap(({ from, into }) => [from, into])], tx);
      planFolds(links, known, this.maxIds);
      const root = known.rootOf(subject);
      const found = [...new Set([subject, root, ...known.membersOf(root)])].sort();
      if (found.length <= family.length) return found;
      family = found;
    }
  }
}

/** Whether nobody else belongs to these subjects. Stays so while their profiles are locked. */
export async function isWholeFamily(subjects: readonly Subject[], tx: Tx): Promise<boolean> {
  const known = await readFamilies(subjects, tx);
  const roots = subjects.map((subject) => known.rootOf(subject));
  return roots.every((root) => [root, ...known.membersOf(root)].every((other) => subjects.includes(other)));
}

async function waitingLinks(subjects: readonly Subject[], tx: Tx): Promise<Link[]> {
  const rows = await tx.query<{ payload: string; subject: Subject }>(waitingEventsSql, [subjects]);
  return rows
    .map(({ payload, subject }) => ({ ...(JSON.parse(payload) as CustomerEvent), subject }))
    .flatMap(linksOf);
}
