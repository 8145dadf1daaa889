/** Rules of one segment, those of nested groups included. */
export const MAX_RULES = 100;
/** Groups inside groups. */
export const MAX_DEPTH = 5;
/** Conditions of one `where`. */
export const MAX_WHERE = 20;
/** Of a sequence, what does not follow among them. */
export const MAX_STEPS = 5;
/** Rules of one segment that look at stored events: each is a read of them for every person that is evaluated. */
export const MAX_MEASURES = 10;
export const MAX_FIELD_LENGTH = 200;
/** Days a window can look back: what the counts per day are good for. */
export const MAX_WITHIN_DAYS = 3_650;
export const MAX_WITHIN_HOURS = 720;
