/** Rules of one segment, those of nested groups included. */
export const MAX_RULES = 100;
/** Groups inside groups. */
export const MAX_DEPTH = 5;
export const MAX_FIELD_LENGTH = 200;
/** Characters of a string compared with, and of an event name. */
export const MAX_STRING_LENGTH = 1_000;
/** Values of `in` and `not_in`. */
export const MAX_LIST_LENGTH = 500;
/** Characters of an array or object compared with, as JSON. */
export const MAX_JSON_LENGTH = 10_000;
/** Days a window can look back: what the counts per day are good for. */
export const MAX_WITHIN_DAYS = 3_650;
