import {
  type CustomerEvent,
  type EventType,
  isJsonObject,
  type JsonObject,
} from '../../events/customer-event';
import type { TailedQuarantine, TailedRejection } from '../../events/tail/read-tail';
import { QuarantinedEventDto } from '../../tracking-plans/quarantine/dto/quarantined-event.dto';
import { EventDto } from '../dto/event.dto';
import { RejectedEventDto } from '../dto/rejected-event.dto';

/** What may become of an event that comes in. */
export const TAILED_OUTCOMES = ['accepted', 'quarantined', 'rejected'] as const;
export type TailedOutcome = (typeof TAILED_OUTCOMES)[number];

/** An event that has come in, for those who watch. */
export interface TailedEvent {
  readonly outcome: TailedOutcome;
  /** What filters look at. */
  readonly event: CustomerEvent;
  /** How many more like it there were, of which nothing is known. */
  readonly others: number;
  /** What is shown. */
  readonly show: () => EventDto | RejectedEventDto | QuarantinedEventDto;
}

export function tailedEvent(event: CustomerEvent): TailedEvent {
  return { outcome: 'accepted', event, others: 0, show: () => EventDto.from(event) };
}

/** An event that was not stored. */
export function tailedOther(told: TailedRejection): TailedEvent {
  return told.quarantine === undefined ? tailedRejection(told) : tailedQuarantined(told, told.quarantine);
}

function tailedQuarantined(told: TailedRejection, quarantine: TailedQuarantine): TailedEvent {
  const { id, sourceId, codes, payload } = told;
  const { subject, planId, planVersion, timestampMs } = quarantine;
  const sent = JSON.parse(payload) as CustomerEvent;
  const { type, messageId } = sent;
  const name = told.name;
  const timestamp = new Date(timestampMs);
  const found = { id, sourceId, planId, planVersion, codes, type, name, messageId, timestamp, payload };
  return {
    outcome: 'quarantined',
    event: { ...sent, id, sourceId, subject },
    others: 0,
    show: () => QuarantinedEventDto.from(found),
  };
}

/** What should have been an event is held against filters as far as it can be made out. */
function tailedRejection(rejected: TailedRejection): TailedEvent {
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
