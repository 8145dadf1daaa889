import { parseUrl } from '../http/input/parse-url';

const DEFAULT_PATH = '/console';
/** Any base will do: what leaves it is refused. */
const BASE = 'http://service.invalid';

/**
 * Where to go after a login: the page that asked for it, if it is one of ours, else the console. Never another site.
 */
export function returnPathOf(given: unknown): string {
  const url = typeof given === 'string' ? parseUrl(given, BASE) : undefined;
  if (url === undefined) return DEFAULT_PATH;
  const { origin, pathname, search } = url;
  const isOurs = origin === BASE && /^\/(?:console|queues)(?:\/|$)/.test(pathname);
  return isOurs ? `${pathname}${search}` : DEFAULT_PATH;
}
