/** What holds for all routes of one part of the service, in whichever module they are. */
export interface Area {
  /** Pages of every site may read the answers. */
  readonly anyOrigin: boolean;
  /** Requests are limited per caller, answers have security headers. */
  readonly limited: boolean;
  /** Nothing is read of a request, beyond its headers, before its bearer token and the scope of it are verified. */
  readonly needsToken: boolean;
  /** A wrong method is told the right ones. */
  readonly namesMethods: boolean;
  /** Requests have spans, where traces are on. */
  readonly traced: boolean;
}

const EVENTS: Area = {
  anyOrigin: true,
  limited: false,
  needsToken: false,
  namesMethods: true,
  traced: true,
};
/** Orchestrators and monitoring are never turned away, and ask all the time. */
const OPERATIONS: Area = {
  anyOrigin: false,
  limited: false,
  needsToken: false,
  namesMethods: true,
  traced: false,
};
/** Has a check of its own, for browsers with a session, and tells strangers nothing. */
const QUEUE_BOARD: Area = {
  anyOrigin: false,
  limited: true,
  needsToken: false,
  namesMethods: false,
  traced: true,
};
/** The page of the console, which holds no data, and the way to log in. */
const PAGES: Area = { anyOrigin: false, limited: true, needsToken: false, namesMethods: true, traced: true };
const DOCUMENTATION: Area = {
  anyOrigin: false,
  limited: true,
  needsToken: false,
  namesMethods: true,
  traced: true,
};
/** Everything else: a route that is listed nowhere is closed. */
const MANAGEMENT: Area = {
  anyOrigin: false,
  limited: true,
  needsToken: true,
  namesMethods: true,
  traced: true,
};

const AREAS: readonly (readonly [pattern: RegExp, area: Area])[] = [
  [/^\/(?:v1|beacon|api\/s)(?:\/|$)/, EVENTS],
  [/^\/(?:health|metrics)(?:\/|$)/, OPERATIONS],
  [/^\/queues/, QUEUE_BOARD],
  [/^\/(?:console|login|logout|favicon\.ico)(?:\/|$)/, PAGES],
  [/^\/(?:docs(?:\/.*)?|openapi\.json)?$/, DOCUMENTATION],
];

/**
 * The area of a route's pattern, such as `/sources/:id`. Of a request take the pattern, not the address: an address
 * has many spellings. Only where there is no route, the address must do.
 */
export function areaOf(url: string): Area {
  return AREAS.find(([pattern]) => pattern.test(url))?.[1] ?? MANAGEMENT;
}
