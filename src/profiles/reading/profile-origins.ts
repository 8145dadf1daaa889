import { Injectable } from '@nestjs/common';
import type { CustomerEvent, Subject } from '../../events/customer-event';
import { type EventHeadDto, headOf } from '../../events/event-head.dto';
import { findLinkingEvents, readEventsAt } from '../../events/reading/read-origin-events';
import { anonymousSubject, userIdOf, userSubject } from '../../events/subject';
import { Database } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import type { IdOriginDto, ProfileOriginsDto, TraitOriginDto } from '../api/dto/profile-origins.dto';
import { idsOf } from '../identity/ids-of';
import { clockTimeMs, type TraitClock, traitClock } from '../state/trait-clock';
import { findPerson, type FoundPerson } from './read-person';

/** A trait that is set, and what tells its last writer. */
interface SetTrait {
  readonly trait: string;
  readonly clock: TraitClock;
}

const readTraitClocksSql = prepared('read_trait_clocks')`
  select c.key as trait, c.value as clock from profile as p, jsonb_each_text(p.trait_clocks) as c
  where p.subject = $1 and p.traits ? c.key`;

/** Tells which events made a profile what it is. */
@Injectable()
export class ProfileOrigins {
  constructor(private readonly database: Database) {}

  /** @throws ProfileNotFoundError */
  async of(subject: Subject): Promise<ProfileOriginsDto> {
    const found = await findPerson(subject, this.database);
    return { traits: await this.traitsOf(found), ids: await this.idsOf(found) };
  }

  /** A trait is stored with the clock of the event that set it, which tells its time and which of that time it is. */
  private async traitsOf(found: FoundPerson): Promise<TraitOriginDto[]> {
    const clocks = await this.database.query<SetTrait>(readTraitClocksSql, [found.subject]);
    const times = [...new Set(clocks.map(({ clock }) => clockTimeMs(clock)))];
    const events = await readEventsAt(
      subjectsOf(found),
      times.toSorted((a, b) => b - a),
      this.database,
    );
    const byClock = new Map(events.map((event) => [traitClock(event), event]));
    return clocks.map(({ trait, clock }) => ({
      trait,
      setAt: new Date(clockTimeMs(clock)).toISOString(),
      event: headIf(byClock.get(clock)),
    }));
  }

  private async idsOf(found: FoundPerson): Promise<IdOriginDto[]> {
    const { userIds, anonymousIds } = idsOf(found.subjects);
    const linked = [
      ...userIds.map((id) => ({ kind: 'userId' as const, id, subject: userSubject(id) })),
      ...anonymousIds.map((id) => ({ kind: 'anonymousId' as const, id, subject: anonymousSubject(id) })),
    ].filter(({ subject }) => subject !== found.subject);
    const users = subjectsOf(found).filter((subject) => userIdOf(subject) !== undefined);
    const events = await findLinkingEvents(
      users,
      linked.map(({ subject }) => subject),
      this.database,
    );
    return linked.map(({ kind, id, subject }) => ({
      kind,
      id,
      event: headIf(events.get(subject)),
    }));
  }
}

function subjectsOf({ subjects }: FoundPerson): Subject[] {
  return subjects.map(({ subject }) => subject);
}

function headIf(event: CustomerEvent | undefined): EventHeadDto | null {
  return event === undefined ? null : headOf(event);
}
