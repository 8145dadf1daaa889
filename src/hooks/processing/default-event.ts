import { isJsonObject, type JsonObject, type JsonValue } from '../../events/customer-event';
import { parseExactly, plainNumber, stringifyExactly } from '../../events/exact-json';

/** Where senders say what has happened, in headers. */
const NAMING_HEADERS = ['x-github-event', 'x-shopify-topic', 'x-gitlab-event', 'x-event-key'];
const FALLBACK_NAME = 'Webhook Received';
/** As JSON; a name may have 1,024 bytes. */
const MAX_NAME_CHARACTERS = 200;

/**
 * The event that stands for a request of which nobody has said what it means: a track with the body as its properties,
 * of somebody who stands for the source, for whose it really is only a transformation can tell.
 * @param request JSON of headers, query and body
 * @returns JSON
 */
export function defaultEvent(request: string, sourceId: string): string {
  const { headers, body } = parseExactly(request) as { headers: Record<string, string>; body: JsonValue };
  const properties = isJsonObject(body) ? body : { body };
  const event = {
    type: 'track',
    event: nameOf(headers, properties).slice(0, MAX_NAME_CHARACTERS),
    anonymousId: `webhook:${sourceId}`,
    properties,
  };
  return stringifyExactly(event);
}

/** `issues opened`, `orders/create`, `invoice.paid`, `app_mention` */
function nameOf(headers: Record<string, string>, body: JsonObject): string {
  const named = NAMING_HEADERS.map((name) => headers[name]).find((name) => name !== undefined && name !== '');
  if (named !== undefined) return [named, ...textsIn(body.action)].join(' ');
  const inner = isJsonObject(body.event) ? body.event.type : undefined;
  const [name = FALLBACK_NAME] = textsIn(inner, body.type, body.event_type, body.event);
  return name;
}

function textsIn(...values: readonly unknown[]): string[] {
  return values
    .map(plainNumber)
    .filter((value) => typeof value === 'string')
    .filter((text) => text.trim() !== '');
}
