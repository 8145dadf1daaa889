import ipaddr from 'ipaddr.js';

export type AddressRange = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** The part of IPv6 that is handed out at all (IANA: global unicast). What is special inside has a range name. */
const GLOBAL_UNICAST_V6: AddressRange = [ipaddr.IPv6.parse('2000::'), 3];

/** Parses `10.0.0.0/8` or `fd00::/8`. @throws when it is no CIDR. */
export function parseRange(cidr: string): AddressRange {
  return ipaddr.parseCIDR(cidr);
}

/**
 * Whether an address must not be connected to: everything but public unicast (private, loopback, link-local with the
 * metadata services, CGNAT, multicast, documentation, NAT64, 6to4, Teredo, unassigned), unless `allowed` names it.
 * An IPv4 address inside an IPv6 one (`::ffff:…`) counts as itself. What is no address is blocked.
 */
export function isBlockedAddress(address: string, allowed: readonly AddressRange[]): boolean {
  if (!ipaddr.isValid(address)) return true;
  if (allowed.some((range) => isInRange(address, range))) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return true;
  return parsed.kind() === 'ipv6' && !parsed.match(GLOBAL_UNICAST_V6[0], GLOBAL_UNICAST_V6[1]);
}

/** Whether a valid address is in the network; an IPv4 address inside an IPv6 one counts as itself. */
export function isInRange(address: string, [range, bits]: AddressRange): boolean {
  const parsed = ipaddr.process(address);
  return range.kind() === parsed.kind() && parsed.match(range, bits);
}
