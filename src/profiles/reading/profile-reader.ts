import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { Subject } from '../../events/customer-event';
import { readPersonEvents } from '../../events/reading/read-person-events';
import { Database } from '../../platform/database/database';
import { within } from '../../platform/database/transactions/within';
import { type ProfileDto } from '../api/dto/profile.dto';
import { ProfileEventDto } from '../api/dto/profile-event.dto';
import { DEFAULT_EVENTS, type ProfileQueryDto } from '../api/dto/profile-query.dto';
import { Profile } from '../profile.entity';
import { ProfileComputedTraits } from '../profile-computed-traits';
import { ProfileSegments } from '../profile-segments';
import { readEventCursor, writeEventCursor } from './event-cursor';
import { findFamily } from './find-family';
import { personOf } from './person-of';

/** Reads single profiles. */
@Injectable()
export class ProfileReader {
  constructor(
    @InjectRepository(Profile) private readonly profiles: Repository<Profile>,
    private readonly database: Database,
    private readonly segments: ProfileSegments,
    private readonly computedTraits: ProfileComputedTraits,
  ) {}

  /** @throws ProfileNotFoundError, InvalidCursorError. */
  async findOne(subject: Subject, query: ProfileQueryDto): Promise<ProfileDto> {
    const { cursor, limit = DEFAULT_EVENTS, by: _by, ...filter } = query;
    const before = cursor === undefined ? undefined : readEventCursor(cursor);
    const [profile, ...members] = await findFamily(subject, within(this.database, this.profiles));
    const subjects = [profile, ...members].map((member) => member.subject);
    const { events, more } = await readPersonEvents(subjects, { ...filter, before, limit }, this.database);
    const last = events.at(-1);
    return {
      ...personOf(profile, members),
      computed: await this.computedTraits.of(profile.subject),
      segments: await this.segments.of(profile.subject),
      events: events.map(({ id, event }) => ProfileEventDto.from(id, event)),
      nextCursor:
        last === undefined || !more
          ? null
          : writeEventCursor({ timestamp: last.event.timestamp, id: last.id }),
    };
  }
}
