import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { CustomerEvent, Subject } from '../../events/customer-event';
import { type EventHeadDto, headOf } from '../../events/event-head.dto';
import { findLinkingEvents, readEventsAt } from '../../events/reading/read-origin-events';
import { anonymousSubject, userIdOf, userSubject } from '../../events/subject';
import { Database } from '../../platform/database/database';
import { within } from '../../platform/database/transactions/within';
import type { IdOriginDto, ProfileOriginsDto, TraitOriginDto } from '../api/dto/profile-origins.dto';
import { idsOf } from '../identity/ids-of';
import { Profile } from '../profile.entity';
import { clockTimeMs, traitClock } from '../state/trait-clock';
import { findFamily } from './find-family';

/** Tells which events made a profile what it is. */
@Injectable()
export class ProfileOrigins {
  constructor(
    @InjectRepository(Profile) private readonly profiles: Repository<Profile>,
    private readonly database: Database,
  ) {}

  /** @throws ProfileNotFoundError */
  async of(subject: Subject): Promise<ProfileOriginsDto> {
    const family = await findFamily(subject, within(this.database, this.profiles));
    return { traits: await this.traitsOf(family), ids: await this.idsOf(family) };
  }

  /** A trait is stored with the clock of the event that set it, which tells its time and which of that time it is. */
  private async traitsOf(family: readonly [Profile, ...Profile[]]): Promise<TraitOriginDto[]> {
    const [{ traits, traitClocks }] = family;
    const clocks = Object.entries(traitClocks).filter(([trait]) => Object.hasOwn(traits, trait));
    const times = [...new Set(clocks.map(([, clock]) => clockTimeMs(clock)))];
    const events = await readEventsAt(
      subjectsOf(family),
      times.toSorted((a, b) => b - a),
      this.database,
    );
    const byClock = new Map(events.map((event) => [traitClock(event), event]));
    return clocks.map(([trait, clock]) => ({
      trait,
      setAt: new Date(clockTimeMs(clock)).toISOString(),
      event: headIf(byClock.get(clock)),
    }));
  }

  private async idsOf([profile, ...members]: readonly [Profile, ...Profile[]]): Promise<IdOriginDto[]> {
    const { userIds, anonymousIds } = idsOf([{ subject: profile.subject, onlyAliased: false }, ...members]);
    const linked = [
      ...userIds.map((id) => ({ kind: 'userId' as const, id, subject: userSubject(id) })),
      ...anonymousIds.map((id) => ({ kind: 'anonymousId' as const, id, subject: anonymousSubject(id) })),
    ].filter(({ subject }) => subject !== profile.subject);
    const users = subjectsOf([profile, ...members]).filter((subject) => userIdOf(subject) !== undefined);
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

function subjectsOf(family: readonly Profile[]): Subject[] {
  return family.map(({ subject }) => subject);
}

function headIf(event: CustomerEvent | undefined): EventHeadDto | null {
  return event === undefined ? null : headOf(event);
}
