const DEFAULT_PATH = '/console';
/** Any base will do: what leaves it is refused. */
const BASE = 'http://service.invalid';

/** Where to go after a login: the page that asked for it, if it is one of ours, else the console. Never another site. */
export function returnPathOf(given: unknown): string {
  if (typeof given !== 'string' || !URL.canParse(given, BASE)) return DEFAULT_PATH;
  const { origin, pathname, search } = new URL(given, BASE);
  const isOurs = origin === BASE && /^\/(?:console|queues)(?:\/|$)/.test(pathname);
  return isOurs ? `${pathname}${search}` : DEFAULT_PATH;
}
