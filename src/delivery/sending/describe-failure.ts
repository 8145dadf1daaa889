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
  const host = hostOf(config);
  if (host === undefined) return errorClass;
  if (status !== undefined) return `${host} answered ${status}`;
  switch (errorClass) {
    case 'connect_failed':
      return `nobody listens at ${host}`;
    case 'timeout':
      return `${host} did not answer in time`;
    case 'dns_failed':
      return `the name of ${host} has no address`;
    case 'connection_closed':
      return `${host} closed the connection`;
    case 'proxy_failed':
      return `the proxy of CDP_EGRESS_PROXY made no connection to ${host}`;
    case 'address_not_allowed':
      return `${host} is no address that CDP_EGRESS_ALLOW allows`;
    default:
      return `${host}: ${errorClass}`;
  }
}

/** Host and port of the destination's URL, if it has one. */
export function hostOf({ url }: JsonObject): string | undefined {
  return typeof url === 'string' ? parseUrl(url)?.host : undefined;
}
