import { setTimeout as delay } from 'node:timers/promises';
import { problem } from '../platform/http/problems/problem';

class SilentConnectorError extends problem(
  503,
  'connector_silent',
  'The connector of the destination does not answer in time; `Retry-After` says how long to wait.',
) {
  override readonly retryAfterSeconds = 5;
}

/**
 * What a connector, which may be code of others, answers to a question that somebody waits for.
 * @throws SilentConnectorError, and what the connector throws
 */
export async function askConnector<T>(limitMs: number, ask: () => T | Promise<T>): Promise<T> {
  const over = new AbortController();
  try {
    return await Promise.race([ask(), failLate(limitMs, over.signal)]);
  } finally {
    over.abort();
  }
}

async function failLate(limitMs: number, signal: AbortSignal): Promise<never> {
  await delay(limitMs, undefined, { ref: false, signal });
  throw new SilentConnectorError(`The connector has not answered within ${limitMs / 1_000} s.`);
}
