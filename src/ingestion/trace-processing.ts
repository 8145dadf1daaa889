import type { CustomerEvent } from '../events/customer-event';
import { traceEvent, traceparentOf } from '../events/event-trace';
import type { TracedSpan, Tracing } from '../platform/tracing/tracing';

/** More would make a span larger without telling more. */
const MAX_LINKS = 32;

/**
 * Runs the processing of events inside spans. A transaction mixes those of many requests and a span has one parent: so
 * each traced request gets a span of its own for the same work, linked to the others, and its events go on from there.
 */
export async function traceProcessing<Result>(
  events: readonly CustomerEvent[],
  tracing: Tracing,
  work: () => Promise<Result>,
): Promise<Result> {
  const spans = tracing.enabled ? startSpans(events, tracing) : [];
  if (spans.length === 0) return work();
  try {
    const result = await work();
    for (const span of spans) span.end();
    return result;
  } catch (error) {
    for (const span of spans) span.end({ error: error instanceof Error ? error.name : 'error' });
    throw error;
  }
}

function startSpans(events: readonly CustomerEvent[], tracing: Tracing): TracedSpan[] {
  const byRequest = new Map<string, CustomerEvent[]>();
  for (const event of events) {
    const traceparent = traceparentOf(event);
    if (traceparent === undefined) continue;
    const own = byRequest.get(traceparent);
    if (own === undefined) byRequest.set(traceparent, [event]);
    else own.push(event);
  }
  const some = [...byRequest.keys()].slice(0, MAX_LINKS + 1);
  return [...byRequest].flatMap(([parent, own]) => {
    const span = tracing.start({
      name: 'process events',
      kind: 'consumer',
      parent,
      links: some.filter((other) => other !== parent).slice(0, MAX_LINKS),
      attributes: {
        'messaging.batch.message_count': events.length,
        'cdp.events': own.length,
        'cdp.event.id': own[0]?.id ?? '',
      },
    });
    if (span?.traceparent !== undefined) for (const event of own) traceEvent(event, span.traceparent);
    return span === undefined ? [] : [span];
  });
}
