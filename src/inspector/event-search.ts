import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import type { CustomerEvent, Subject } from '../events/customer-event';
import { EventFinder, type FoundPage } from '../events/reading/event-finder';
import { messageKey } from '../events/message-key';
import { lowestId } from '../events/partitions/partition-plan';
import { anonymousSubject, userSubject } from '../events/subject';
import { databaseNowMs } from '../platform/database/connections/database-clock';
import { ReplicaDatabase } from '../platform/database/replica-database';
import { readFamilies } from '../profiles/identity/read-identities';
import { SourcesService } from '../sources/sources.service';
import type { EventsQueryDto } from './dto/events-query.dto';
import { EventNotFoundError } from './inspector-problems';

type EventQuery = Omit<EventsQueryDto, 'limit'>;

/** Finds stored events for people. */
@Injectable()
export class EventSearch {
  constructor(
    private readonly events: EventFinder,
    private readonly database: ReplicaDatabase,
    private readonly sources: SourcesService,
  ) {}

  /** Newest first. */
  async find(query: EventQuery, limit: number): Promise<FoundPage> {
    const { sourceId, type, name, anonymousId, from, to, cursor } = query;
    const ids = await this.idsOf(query);
    if (ids?.length === 0) return { events: [], nextBeforeId: undefined };
    const search = {
      sourceId,
      type,
      name,
      anonymousId,
      subjects: await this.subjectsOf(query),
      ids,
      fromMs: from === undefined ? undefined : Date.parse(from),
      beforeId: cursor ?? (to === undefined ? undefined : lowestId(Date.parse(to))),
    };
    return this.events.findEvents(search, limit, databaseNowMs());
  }

  /** @throws EventNotFoundError */
  async findOne(eventId: string): Promise<CustomerEvent> {
    const found = isUUID(eventId) ? await this.events.findEvent(eventId) : undefined;
    if (found === undefined) throw new EventNotFoundError(eventId);
    return found;
  }

  /** Of the one that a message id names; undefined when none is given. */
  private async idsOf({ messageId, sourceId }: EventQuery): Promise<string[] | undefined> {
    if (messageId === undefined) return undefined;
    const sources = sourceId === undefined ? await this.sources.findIds() : [sourceId];
    const keys = sources.map((id) => messageKey(id, messageId));
    return this.events.findEventsOfMessages(keys);
  }

  /** Whose events to look through; undefined for everybody's. */
  private async subjectsOf({ userId, anonymousId }: EventQuery): Promise<Subject[] | undefined> {
    if (userId !== undefined) return [userSubject(userId)];
    if (anonymousId === undefined) return undefined;
    const visitor = anonymousSubject(anonymousId);
    const known = await readFamilies([visitor], this.database);
    const root = known.rootOf(visitor);
    return [...new Set([visitor, root, ...known.membersOf(root)])];
  }
}
