import type { JsonValue } from '../../events/customer-event';

export const HASH_METHODS = ['hmac-sha256', 'sha256'] as const;
type HashMethod = (typeof HASH_METHODS)[number];

/**
 * How events are changed for a destination, in this order: pick, drop, hash, rename, constant. Paths are dotted
 * paths into the event.
 */
export interface Mapping {
  /** Only these members are kept. */
  readonly pick?: readonly string[];
  readonly drop?: readonly string[];
  /** Replaced by the hex digest of their text; what is missing or null stays so. */
  readonly hash?: readonly {
    readonly path: string;
    /** `hmac-sha256` (default) is keyed with `hashKey`; `sha256` is what advertising platforms match on. */
    readonly method?: HashMethod;
    /** Trims and lower-cases the text first. */
    readonly normalize?: boolean;
  }[];
  /** The key of `hmac-sha256`; a random one is made when it is left out. Sealed at rest and never shown. */
  readonly hashKey?: string;
  readonly rename?: readonly { readonly from: string; readonly to: string }[];
  readonly constant?: readonly { readonly path: string; readonly value: JsonValue }[];
}
