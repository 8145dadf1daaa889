import { RetryableDeliveryError } from '../../connectors/delivery-error';

/** Connectors end their tries themselves; one that has not is left to itself so long after the deadline. */
export const LATE_MS = 1_000;

/**
 * What a connector, which may be code of others, answers to a try, or that it did not.
 * @param deadline in milliseconds of `performance.now()`
 * @throws RetryableDeliveryError when it is late; what it throws
 */
export async function inTime<T>(deadline: number, call: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const fail = (): void => reject(new RetryableDeliveryError('timeout'));
    timer = setTimeout(fail, deadline + LATE_MS - performance.now());
  });
  try {
    return await Promise.race([call(), late]);
  } finally {
    clearTimeout(timer);
  }
}
