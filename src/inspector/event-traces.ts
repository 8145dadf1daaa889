import { Injectable } from '@nestjs/common';
import { processingOf } from '../events/inbox/processing-of';
import { timeOfId } from '../events/partitions/partition-plan';
import { findQuarantinedEvents } from '../tracking-plans/quarantine/find-quarantined-events';
import { QuarantinedEventDto } from '../tracking-plans/quarantine/dto/quarantined-event.dto';
import { findRejectedEvents } from '../events/rejected/find-rejected-events';
import type { CustomerEvent, Subject } from '../events/customer-event';
import { Database } from '../platform/database/database';
import { readFamilies } from '../profiles/identity/read-identities';
import { changesSince } from '../segments/reading/changes-since';
import { EventDto } from './dto/event.dto';
import { RejectedEventDto } from './dto/rejected-event.dto';
import type { TraceDto, TracedDestinationDto, TracedProfileDto, TraceQueryDto } from './dto/trace.dto';
import { EventSearch } from './event-search';
import { Routed } from './routed';

/** Traces of one message that are told at most. */
const MAX_TRACES = 20;

/** Whose profile it went into, and the segments that person has entered or left since. */
type TracedPerson = Pick<TraceDto, 'profile' | 'segments'>;

const NOBODY: TracedPerson = { profile: null, segments: [] };

/** Tells the way of an event through the service, from what each part has stored. */
@Injectable()
export class EventTraces {
  constructor(
    private readonly database: Database,
    private readonly search: EventSearch,
    private readonly routed: Routed,
  ) {}

  /** @throws EventNotFoundError */
  async ofEvent(eventId: string): Promise<TraceDto> {
    return this.traceOf(await this.search.findOne(eventId));
  }

  /** Those with a messageId: accepted ones, then quarantined ones, then rejected ones, newest first. */
  async ofMessage(query: TraceQueryDto): Promise<TraceDto[]> {
    const { events } = await this.search.find(query, MAX_TRACES);
    const { found: quarantined } = await findQuarantinedEvents(query, MAX_TRACES, this.database);
    const rejected = await findRejectedEvents(query, MAX_TRACES, this.database);
    const accepted: TraceDto[] = [];
    for (const event of events) accepted.push(await this.traceOf(event));
    return [
      ...accepted,
      ...quarantined.map((one) => ({
        ...NOT_STORED,
        outcome: 'quarantined' as const,
        quarantined: QuarantinedEventDto.from(one),
      })),
      ...rejected.map((one) => ({
        ...NOT_STORED,
        outcome: 'rejected' as const,
        rejected: RejectedEventDto.from(one),
      })),
    ];
  }

  private async traceOf(event: CustomerEvent): Promise<TraceDto> {
    const { state, reason } = await processingOf(event.id, this.database);
    const isProcessed = state === 'processed';
    const [destinations, person] = await Promise.all([
      this.routed.of(event, isProcessed),
      isProcessed ? this.personOf(event) : NOBODY,
    ]);
    return {
      outcome: 'accepted',
      event: EventDto.from(event),
      rejected: null,
      quarantined: null,
      processing: state,
      failedBecause: reason,
      waitedMs: waitedMs(event.id, destinations),
      ...person,
      destinations,
    };
  }

  private async personOf({ subject, receivedAt }: CustomerEvent): Promise<TracedPerson> {
    const root = (await readFamilies([subject], this.database)).rootOf(subject);
    const changes = await changesSince(root, receivedAt, this.database);
    const segments = changes.map(({ segmentId, segmentName, member, changedAt }) => ({
      segmentId,
      segmentName,
      change: member ? ('entered' as const) : ('left' as const),
      at: changedAt.toISOString(),
    }));
    return { profile: profileDto(root, subject), segments };
  }
}

/** Nobody behind reception knows of the event. */
const NOT_STORED: Omit<TraceDto, 'outcome'> = {
  event: null,
  rejected: null,
  quarantined: null,
  processing: null,
  failedBecause: null,
  waitedMs: null,
  ...NOBODY,
  destinations: [],
};

/** Deliveries get their ids when they are routed. */
function waitedMs(eventId: string, destinations: readonly TracedDestinationDto[]): number | null {
  const routedMs = destinations.flatMap(({ delivery }) => (delivery === null ? [] : [timeOfId(delivery.id)]));
  return routedMs.length === 0 ? null : Math.max(0, Math.min(...routedMs) - timeOfId(eventId));
}

function profileDto(root: Subject, subject: Subject): TracedProfileDto | null {
  if (root.startsWith('g:')) return null;
  const id = root.slice(2);
  const isUser = root.startsWith('u:');
  return { userId: isUser ? id : null, anonymousId: isUser ? null : id, merged: root !== subject };
}
