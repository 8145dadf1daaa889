import { type PersonIds, personIn } from '../person-in';
import type { Tailed } from './tail-list';

/** Whose an event is. What was rejected is of whom it says, as far as that can be read. */
export function personOfTailed({ outcome, event }: Tailed): PersonIds {
  switch (outcome) {
    case 'accepted':
      return event;
    case 'quarantined':
      return personIn(event.event);
    case 'rejected':
      return personIn(parsed(event.payload));
  }
}

function parsed(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return undefined; // It was cut.
  }
}
