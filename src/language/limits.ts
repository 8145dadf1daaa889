/** Characters of a string compared with, and of an event name. */
export const MAX_STRING_LENGTH = 1_000;
/** Values of `in` and `not_in`. */
export const MAX_LIST_LENGTH = 500;
/** Characters of an array or object compared with, as JSON. */
export const MAX_JSON_LENGTH = 10_000;
