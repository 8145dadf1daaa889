import { Injectable } from '@nestjs/common';
import type { JsonObject } from '../../events/customer-event';
import { payloadOf } from '../../events/event-payload';
import { parseExactly } from '../../events/exact-json';
import { timeOfId } from '../../events/partitions/partition-plan';
import { EventFinder } from '../../events/reading/event-finder';
import { Database } from '../../platform/database/database';
import { databaseNowMs } from '../../platform/database/connections/database-clock';
import { readQuarantinedEvents } from '../quarantine/find-quarantined-events';
import type { ViolationSample } from './count-violations';
import type { ViolationDto, ViolationSampleDto } from './dto/violation.dto';
import { findViolations, type ViolationsSearch } from './find-violations';

const MAX_KINDS = 1_000;
/** Kinds whose samples are shown as they are, if they are still there; of those of the others the ids are. */
const KINDS_WITH_EVENTS = 20;

type FoundEvent = Pick<ViolationSampleDto, 'event' | 'quarantined'>;

/** In what events differ from a plan, with some of the events. */
@Injectable()
export class PlanViolations {
  constructor(
    private readonly database: Database,
    private readonly events: EventFinder,
  ) {}

  async find(search: ViolationsSearch): Promise<ViolationDto[]> {
    const found = await findViolations(search, MAX_KINDS, this.database);
    const events = await this.eventsOf(found.slice(0, KINDS_WITH_EVENTS).flatMap(({ samples }) => samples));
    return found.map(({ keyword, firstAt, lastAt, samples, ...rest }, kind) => ({
      ...rest,
      keyword: keyword === '' ? null : keyword,
      firstAt: firstAt.toISOString(),
      lastAt: lastAt.toISOString(),
      samples: samples
        .filter(({ eventId }) => kind >= KINDS_WITH_EVENTS || events.has(eventId))
        .map((sample) => shown(sample, events)),
    }));
  }

  /** By id. What was erased, dropped, released or discarded is not there any more. */
  private async eventsOf(samples: readonly ViolationSample[]): Promise<ReadonlyMap<string, FoundEvent>> {
    const ids = [...new Set(samples.map(({ eventId }) => eventId))];
    if (ids.length === 0) return new Map();
    const fromMs = Math.min(...ids.map(timeOfId));
    const { events } = await this.events.findEvents({ ids, fromMs }, ids.length, databaseNowMs());
    const quarantined = await readQuarantinedEvents(ids, this.database);
    return new Map([
      ...events.map((event) => [event.id, foundEvent(payloadOf(event), false)] as const),
      ...quarantined.map(({ id, payload }) => [id, foundEvent(payload, true)] as const),
    ]);
  }
}

/** With the digits of numbers that were sent. */
function foundEvent(payload: string | undefined, quarantined: boolean): FoundEvent {
  return { event: parseExactly(payload ?? '{}') as JsonObject, quarantined };
}

function shown({ eventId }: ViolationSample, events: ReadonlyMap<string, FoundEvent>): ViolationSampleDto {
  const { event, quarantined } = events.get(eventId) ?? { event: null, quarantined: false };
  const messageId = typeof event?.messageId === 'string' ? event.messageId : null;
  return { eventId, messageId, event, quarantined };
}
