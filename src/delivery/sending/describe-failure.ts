import type { JsonObject } from '../../events/customer-event';
import { parseUrl } from '../../platform/http/input/parse-url';
import type { NotDelivered } from '../ledger/recording/delivery-outcome';

/**
 * Says in words why a try failed, for the terminal of a developer: `nobody listens at localhost:8080`. Tenants get the
 * error class only, so that webhooks cannot be used to explore a network.
 */
export function describeFailure(
  { errorClass, status }: Pick<NotDelivered, 'errorClass'> & Partial<Pick<NotDelivered, 'status'>>,
  config: JsonObject,
): string {
  const place = placeOf(config);
  if (place === undefined) return errorClass;
  if (status !== undefined) return `${place} answered ${status}`;
  switch (errorClass) {
    case 'connect_failed':
      return `nobody listens at ${place}`;
    case 'timeout':
      return `${place} did not answer in time`;
    case 'dns_failed':
      return `the name of ${place} has no address`;
    case 'connection_closed':
      return `${place} closed the connection`;
    case 'proxy_failed':
      return `the proxy of CDP_EGRESS_PROXY made no connection to ${place}`;
    case 'address_not_allowed':
      return `${place} is no address that CDP_EGRESS_ALLOW allows`;
    default:
      return `${place}: ${errorClass}`;
  }
}

/** Host and port of the destination's URL, if it has one. */
export function placeOf({ url }: JsonObject): string | undefined {
  return typeof url === 'string' ? parseUrl(url)?.host : undefined;
}
