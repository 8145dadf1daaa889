import type { Dto } from '../../api/client';

export type WaitsFor = NonNullable<Dto['DeliveryWithAttemptsDto']['waitsFor']>;

const WAITS: Readonly<Record<WaitsFor, string>> = {
  batch: 'It waits for its batch to be full, or old enough.',
  connector_not_installed: 'It waits for the connector of the destination to be installed.',
  secrets_not_readable: 'It waits for the secrets of the destination to be readable again.',
  destination_disabled:
    'It waits because the service disabled the destination. It is sent when somebody resumes it.',
  destination_down:
    'It waits because the destination is down. The service looks by itself whether it is back.',
  destination_paused:
    'It waits because somebody paused the destination. It is sent when somebody resumes it.',
  earlier_delivery:
    'It waits for an earlier delivery of the same person to end: the destination has an order.',
  earlier_events: 'It waits for what was accepted before it to be processed: the destination has an order.',
  next_try: 'The last try failed: it waits for the next one.',
  rate_limit: 'It waits for its turn: the destination has a rate limit.',
};

/** What a delivery, or a replay, waits for. */
export function waitsWords(waitsFor: WaitsFor): string {
  return WAITS[waitsFor];
}
