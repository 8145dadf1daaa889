import { useSyncExternalStore } from 'react';

type Session = 'lasts' | 'ended';

let session: Session = 'lasts';
const listeners = new Set<() => void>();

/** What the last answer said of the session: it may end while a page is open, and begin again in another tab. */
export function useSession(): Session {
  return useSyncExternalStore(listenTo, () => session);
}

/** Takes note of what an answer said. */
export function noteSession(said: Session): void {
  if (said === session) return;
  session = said;
  for (const tell of listeners) tell();
}

/** Leaves the page for the login. */
export function goToLogin(): void {
  globalThis.location.assign(loginPath());
}

/** The login, which leads back to this page. */
export function loginPath(): string {
  const { pathname, search } = globalThis.location;
  return `/login?${new URLSearchParams({ to: pathname + search }).toString()}`;
}

function listenTo(tell: () => void): () => void {
  listeners.add(tell);
  return () => listeners.delete(tell);
}
