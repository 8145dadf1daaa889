import type { Tailed } from './tail-list';

interface PersonIds {
  readonly userId: string | null;
  readonly anonymousId: string | null;
}

/** Whose an event is. What was rejected is of whom it says, as far as that can be read. */
export function personOfTailed({ outcome, event }: Tailed): PersonIds {
  switch (outcome) {
    case 'accepted':
      return event;
    case 'quarantined':
      return idsIn(event.event);
    case 'rejected':
      return idsIn(parsed(event.payload));
  }
}

function idsIn(sent: unknown): PersonIds {
  const { userId, anonymousId } = (sent ?? {}) as Readonly<Record<string, unknown>>;
  return { userId: idOf(userId), anonymousId: idOf(anonymousId) };
}

function idOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function parsed(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return undefined; // It was cut.
  }
}
