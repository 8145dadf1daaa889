import { lookup as systemLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config';
import { type AddressRange, isBlockedAddress, parseRange } from './blocked-address';
import { isReservedName, parseTarget } from './parse-target';

/** An address that webhooks may not reach, found before a byte was sent. */
export class BlockedAddressError extends Error {
  readonly code = 'CDP_BLOCKED_ADDRESS';
}

type LookupCallback = (
  error: NodeJS.ErrnoException | null,
  address: string | LookupAddress[],
  family?: number,
) => void;

const LOOPBACK = ['127.0.0.0/8', '::1/128'];

/** A name server that does not answer must not hold up the creation of a destination. */
const CHECK_TIMEOUT_MS = 2_000;

/** Which addresses the service may send to: public ones, and those that `CDP_EGRESS_ALLOW` names. */
@Injectable()
export class EgressPolicy {
  /** How names are resolved; tests answer what they like. */
  protected readonly resolve: typeof systemLookup = systemLookup;
  private readonly allowed: readonly AddressRange[];
  /**
   * Look-ups under way. One that hangs holds a thread of the few that look names up, for PostgreSQL and Redis as well,
   * and cannot be cancelled: who asks for the same name waits for the same one.
   */
  private readonly underWay = new Map<string, Promise<LookupAddress[]>>();

  constructor(config: Config) {
    const cidrs = config.connectors.egressAllow ?? (config.production ? [] : LOOPBACK);
    this.allowed = cidrs.map(parseRange);
  }

  isBlocked(address: string): boolean {
    return isBlockedAddress(address, this.allowed);
  }

  /**
   * What is wrong with a URL as a target, in words that its name goes before, or undefined. Resolves its name; one that
   * does not resolve now is let through, because each connection is checked again.
   */
  async refusal(url: string): Promise<string | undefined> {
    const target = parseTarget(url);
    if (typeof target === 'string') return target;
    if (isIP(target.host) !== 0) return this.isBlocked(target.host) ? NOT_ALLOWED : undefined;
    const addresses = await this.addressesOf(target.host);
    return addresses.some(({ address }) => this.isBlocked(address)) ? NOT_ALLOWED : undefined;
  }

  /**
   * Judges a host that somebody else is to connect to. A name that does not resolve here passes: in many networks the
   * proxy alone can resolve it.
   * @throws BlockedAddressError
   */
  async judge(host: string): Promise<void> {
    if (isReservedName(host)) throw new BlockedAddressError('reserved name');
    const addresses = isIP(host) === 0 ? await this.addressesOf(host) : [{ address: host }];
    if (addresses.some(({ address }) => this.isBlocked(address))) throw new BlockedAddressError(NOT_ALLOWED);
  }

  /** A `lookup` for sockets: fails when any answer, A or AAAA, is blocked. */
  readonly lookup = (hostname: string, options: LookupOptions, callback: LookupCallback): void => {
    this.lookUp(hostname, options).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined || addresses.some(({ address }) => this.isBlocked(address))) {
          return callback(new BlockedAddressError(NOT_ALLOWED), []);
        }
        if (options.all === true) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };

  private addressesOf(host: string): Promise<LookupAddress[]> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve([]), CHECK_TIMEOUT_MS);
      const answer = (addresses: LookupAddress[]): void => {
        clearTimeout(timer);
        resolve(addresses);
      };
      this.lookUp(host, {}).then(answer, () => answer([]));
    });
  }

  private lookUp(host: string, options: LookupOptions): Promise<LookupAddress[]> {
    const key = [host, options.family, options.hints].join(' ');
    const found = this.underWay.get(key);
    if (found !== undefined) return found;
    const begun = new Promise<LookupAddress[]>((resolve, reject) => {
      this.resolve(host, { ...options, all: true }, (error, addresses) => {
        if (error === null) resolve(addresses);
        else reject(error);
      });
    }).finally(() => this.underWay.delete(key));
    this.underWay.set(key, begun);
    return begun;
  }
}

const NOT_ALLOWED = 'leads to an address that is not public: CDP_EGRESS_ALLOW opens private networks';
