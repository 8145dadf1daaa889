import type { JsonObject, JsonValue } from '../../events/customer-event';
import type { OutboundEvent } from '../connector';

/** A name that nobody else can own, in the reversed form that the specification asks for. */
const TYPE_PREFIX = 'internal.cdp';
/** What the specification keeps out of texts: controls, halves of surrogate pairs, and what is no character. */
const NOT_IN_TEXTS = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u;
/** RFC 3339, as events have their times; anything else a mapping has put there. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * The event as a CloudEvent 1.0 in the structured mode of JSON. `data` is the text that would have been sent without,
 * so that its numbers are the same; what else is told of the event is taken from that text alone, after the mapping.
 */
export function cloudEventOf({ deliveryId, eventType, sourceId, body }: OutboundEvent): string {
  const { timestamp, ...who } = JSON.parse(body) as JsonObject;
  const attributes = {
    specversion: '1.0',
    id: deliveryId,
    source: sourceId === undefined ? '/service' : `/sources/${sourceId}`,
    type: `${TYPE_PREFIX}.${eventType}`,
    subject: subjectOf(who),
    time: isTime(timestamp) ? timestamp : undefined,
    datacontenttype: 'application/json',
  };
  return `${JSON.stringify(attributes).slice(0, -1)},"data":${body}}`;
}

/** Whom it is about; undefined where the mapping took that out. */
function subjectOf({ userId, anonymousId, groupId }: JsonObject): string | undefined {
  const found = [userId, anonymousId, groupId].find((id) => typeof id === 'string' && id !== '');
  return typeof found === 'string' && !NOT_IN_TEXTS.test(found) ? found : undefined;
}

function isTime(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && TIME.test(value) && !Number.isNaN(Date.parse(value));
}
