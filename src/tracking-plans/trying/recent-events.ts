import { Injectable } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type CustomerEvent, isJsonObject, type JsonObject } from '../../events/customer-event';
import { EventFinder } from '../../events/reading/event-finder';
import { databaseNowMs } from '../../platform/database/connections/database-clock';

/** Read at a time: memory is that of so many events, however many are looked at. */
const PAGE = 500;
/** Members of a stored event that no client sees. */
const KNOWN_TO_THE_SERVICE = ['id', 'sourceId', 'subject'] as const;
/** Then other work has its turn: a rule that is compiled takes some of it. */
const MAX_TURN_MS = 5;

/** A stored event, and what a plan judges of it. */
interface RecentEvent {
  readonly stored: CustomerEvent;
  /** As it came in: without what the service knows of it. */
  readonly event: JsonObject;
}

/** How far back events are looked at. */
interface RecentEventsQuery {
  readonly sourceId: string;
  readonly last: number;
  /** By `performance.now()`. */
  readonly untilMs: number;
}

/** Reads the newest events of a source beside all that the process does. */
@Injectable()
export class RecentEvents {
  constructor(private readonly events: EventFinder) {}

  /**
   * Hands over the newest stored events, newest first, and lets other work have its turn every few milliseconds.
   * @returns whether there was time for all that were asked for
   */
  async forEach(query: RecentEventsQuery, look: (event: RecentEvent) => void): Promise<boolean> {
    let beforeId: string | undefined;
    let left = query.last;
    do {
      if (performance.now() > query.untilMs) return false;
      const search = { sourceId: query.sourceId, beforeId };
      const page = await this.events.findEvents(search, Math.min(PAGE, left), databaseNowMs());
      left -= page.events.length;
      beforeId = page.nextBeforeId;
      await lookAtAll(page.events, look);
    } while (beforeId !== undefined && left > 0);
    return true;
  }
}

async function lookAtAll(
  events: readonly CustomerEvent[],
  look: (event: RecentEvent) => void,
): Promise<void> {
  let turnEndsMs = performance.now() + MAX_TURN_MS;
  for (const stored of events) {
    look({ stored, event: asItCame(stored) });
    if (performance.now() < turnEndsMs) continue;
    await nextTurn();
    turnEndsMs = performance.now() + MAX_TURN_MS;
  }
}

function asItCame(stored: CustomerEvent): JsonObject {
  const event: Partial<CustomerEvent> = { ...stored };
  for (const known of KNOWN_TO_THE_SERVICE) delete event[known];
  if (!isJsonObject(event.context)) return event;
  const context = { ...event.context };
  delete context.trackingPlan;
  return { ...event, context };
}
