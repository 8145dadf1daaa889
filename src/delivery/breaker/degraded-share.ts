/** A destination is degraded when more than this part of the tries of the last five minutes failed. */
export const DEGRADED_SHARE = 0.1;
