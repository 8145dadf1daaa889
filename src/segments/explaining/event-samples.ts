import { Injectable } from '@nestjs/common';
import { type CustomerEvent, eventName, isEventType, type JsonObject } from '../../events/customer-event';
import { EventFinder, type EventQuery } from '../../events/reading/event-finder';
import { databaseNowMs } from '../../platform/database/connections/database-clock';
import { failureOf } from '../../platform/database/failure';

/** Of a name: what many of its events have is in so many, and they are read in milliseconds. */
const MAX_EVENTS = 200;
const MAX_NAMES = 20;
/** Beyond this nothing is said: a warning is not worth waiting for. A rare name takes as long as a search may. */
const MAX_SEARCH_MS = 300;
const MAX_MS = 900;
/** Members of a stored event that are no part of what rules look at. */
const KNOWN_TO_THE_SERVICE = ['id', 'sourceId', 'subject'] as const;

/** A stored event, as rules see it. */
export interface SampledEvent {
  readonly type: string;
  readonly content: JsonObject;
}

/** The newest stored events by name; a name that has none, or for which there was no time, has no entry. */
export type SampledEvents = ReadonlyMap<string, readonly SampledEvent[]>;

/** Reads some of the newest stored events, to see what is in them. */
@Injectable()
export class EventSamples {
  constructor(private readonly events: EventFinder) {}

  /** As far as it takes no time to speak of: what is found until then is answered. One search for each name. */
  async of(names: Iterable<string>): Promise<SampledEvents> {
    const untilMs = performance.now() + MAX_MS;
    const found = new Map<string, readonly SampledEvent[]>();
    try {
      for (const name of [...new Set(names)].slice(0, MAX_NAMES)) {
        const leftMs = untilMs - performance.now();
        if (leftMs <= 0) break;
        const events = await this.newest(name, Math.min(MAX_SEARCH_MS, leftMs));
        if (events.length > 0) found.set(name, events);
      }
    } catch (error) {
      // May stop here: what was asked for is complete without the warnings.
      if (failureOf(error) === undefined) throw error;
    }
    return found;
  }

  private async newest(name: string, maxMs: number): Promise<SampledEvent[]> {
    const { events } = await this.events.findEvents(queryOf(name), MAX_EVENTS, databaseNowMs(), maxMs);
    return events
      .filter((event) => eventName(event) === name)
      .map((event) => ({ type: event.type, content: contentOf(event) }));
  }
}

/** What is called as a type is an event without a name. */
function queryOf(name: string): EventQuery {
  return isEventType(name) ? { type: name } : { name };
}

function contentOf(event: CustomerEvent): JsonObject {
  const content: Partial<CustomerEvent> = { ...event };
  for (const known of KNOWN_TO_THE_SERVICE) delete content[known];
  return content;
}
