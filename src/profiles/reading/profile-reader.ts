import { Injectable } from '@nestjs/common';
import type { Subject } from '../../events/customer-event';
import { readPersonEvents } from '../../events/reading/read-person-events';
import { Database } from '../../platform/database/database';
import { type ProfileDto } from '../api/dto/profile.dto';
import { ProfileEventDto } from '../api/dto/profile-event.dto';
import { DEFAULT_EVENTS, type ProfileQueryDto } from '../api/dto/profile-query.dto';
import { ProfileComputedTraits } from '../profile-computed-traits';
import { ProfileSegments } from '../profile-segments';
import { readEventCursor, writeEventCursor } from './event-cursor';
import { personOf } from './person-of';
import { findPerson } from './read-person';

/** Reads single profiles. */
@Injectable()
export class ProfileReader {
  constructor(
    private readonly database: Database,
    private readonly segments: ProfileSegments,
    private readonly computedTraits: ProfileComputedTraits,
  ) {}

  /** @throws ProfileNotFoundError, InvalidCursorError. */
  async findOne(subject: Subject, query: ProfileQueryDto): Promise<ProfileDto> {
    const { cursor, limit = DEFAULT_EVENTS, by: _by, ...filter } = query;
    const before = cursor === undefined ? undefined : readEventCursor(cursor);
    const found = await findPerson(subject, this.database);
    const subjects = found.subjects.map((one) => one.subject);
    const [{ events, more }, computed, segments] = await Promise.all([
      readPersonEvents(subjects, { ...filter, before, limit }, this.database),
      this.computedTraits.of(found.subject),
      this.segments.of(found.subject),
    ]);
    const last = events.at(-1);
    return {
      ...personOf(found),
      computed,
      segments,
      events: events.map(({ id, event }) => ProfileEventDto.from(id, event)),
      nextCursor:
        last === undefined || !more
          ? null
          : writeEventCursor({ timestamp: last.event.timestamp, id: last.id }),
    };
  }
}
