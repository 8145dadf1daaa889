/** The ids by which an event is somebody's. */
export interface PersonIds {
  readonly userId: string | null;
  readonly anonymousId: string | null;
}

/** Whom an event names that is not stored; it may hold anything. */
export function personIn(sent: unknown): PersonIds {
  const { userId, anonymousId } = (sent ?? {}) as Readonly<Record<string, unknown>>;
  return { userId: idOf(userId), anonymousId: idOf(anonymousId) };
}

function idOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
