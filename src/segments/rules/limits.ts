/** Rules of one segment, those of nested groups included. */
export const MAX_RULES = 100;
/** Groups inside groups. */
export const MAX_DEPTH = 5;
export const MAX_FIELD_LENGTH = 200;
/** Days a window can look back: what the counts per day are good for. */
export const MAX_WITHIN_DAYS = 3_650;
