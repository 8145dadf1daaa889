import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { OutboundEvent } from '../connector';

/**
 * The events as gzipped JSON, one line each. The same events give the same bytes: Node writes no time into the
 * gzip header.
 */
export function writeNdjson(events: AsyncIterable<OutboundEvent>): Readable {
  const lines = Readable.from(linesOf(events), { objectMode: false });
  const gzip = createGzip();
  lines.once('error', (error) => gzip.destroy(error));
  gzip.once('close', () => lines.destroy());
  return lines.pipe(gzip);
}

async function* linesOf(events: AsyncIterable<OutboundEvent>): AsyncIterable<Buffer> {
  for await (const event of events) yield Buffer.from(`${oneLine(event.body)}\n`);
}

/** Stored JSON is text as it came; line breaks between its tokens (never inside strings) would end the line. */
function oneLine(json: string): string {
  return json.includes('\n') || json.includes('\r') ? json.replaceAll(/[\r\n]+/g, ' ') : json;
}
