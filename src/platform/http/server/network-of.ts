import ipaddr from 'ipaddr.js';

/** A subscriber of IPv6 has 64 bits of addresses, and may use another one for each request. */
const SUBSCRIBER_BITS = 64;

/**
 * What stands for a stranger behind an address: an IPv4 address, also when it is mapped into IPv6, or a network of /64.
 * What is no address stands for itself.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address).toString();
  if (!ipaddr.IPv6.isValid(parsed)) return parsed;
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed}/${SUBSCRIBER_BITS}`).toString();
}
