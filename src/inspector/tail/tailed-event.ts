import {
  type CustomerEvent,
  type EventType,
  isJsonObject,
  type JsonObject,
} from '../../events/customer-event';
import type { TailedRejection } from '../../events/tail/read-tail';
import { EventDto } from '../dto/event.dto';
import { RejectedEventDto } from '../dto/rejected-event.dto';

/** An event that has come in, for those who watch. */
export interface TailedEvent {
  readonly outcome: 'accepted' | 'rejected';
  /** What filters look at. */
  readonly event: CustomerEvent;
  /** How many more like it there were, of which nothing is known. */
  readonly others: number;
  /** What is shown. */
  readonly show: () => EventDto | RejectedEventDto;
}

export function tailedEvent(event: CustomerEvent): TailedEvent {
  return { outcome: 'accepted', event, others: 0, show: () => EventDto.from(event) };
}

/** What should have been an event is held against filters as far as it can be made out. */
export function tailedRejection(rejected: TailedRejection): TailedEvent {
  const { id, sourceId, subjects, type, name, others } = rejected;
  const event = {
    ...sentMembers(rejected.payload),
    id,
    sourceId,
    subject: subjects[0] ?? 'a:',
    type: (type ?? '') as EventType,
    event: name ?? '',
    name: name ?? '',
  };
  return {
    outcome: 'rejected',
    event: event as unknown as CustomerEvent,
    others,
    show: () => RejectedEventDto.from(rejected),
  };
}

function sentMembers(payload: string): JsonObject {
  try {
    const sent: unknown = JSON.parse(payload);
    return isJsonObject(sent) ? sent : {};
  } catch {
    return {}; // It was cut.
  }
}
