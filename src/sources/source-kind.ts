/** SDKs send events; a webhook sends what a transformation makes events of. */
export const SOURCE_KINDS = ['sdk', 'webhook'] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

/** What becomes of the requests of a webhook that has no transformation: they are kept, or each is a track event. */
export const UNTRANSFORMED = ['keep', 'track'] as const;
export type Untransformed = (typeof UNTRANSFORMED)[number];
