export const MAX_PLAN_RULES = 1_000;
/** Of a plan as JSON. */
export const MAX_PLAN_BYTES = 1_000_000;
/** Levels of objects and arrays in a schema. */
export const MAX_SCHEMA_DEPTH = 48;
/** What a schema may cost with all its `$ref`s followed, see `schema-cost.ts`: each is looked at once for an event. */
export const MAX_COST = 1_000;
/** The part of it that is looked at for each element of an array or each member of an object. */
export const MAX_COST_OF_EACH = 200;
/** Values of an event times {@link MAX_COST_OF_EACH}, or what its rule has of it: some 20 ms of a processor. */
export const MAX_CHECKS = 100_000;
/** Characters of `minLength` and `maxLength` that cost as much as one node: so many may have to be counted. */
export const CHARACTERS_A_NODE = 1_000;
/** Instructions of the program of a pattern that cost as much as one node. */
export const INSTRUCTIONS_A_NODE = 4;
/** Of all patterns of a schema together. */
export const MAX_PATTERN_CHARACTERS = 10_000;
/** Scalars of an `enum` that cost as much as one node. */
export const CHOICES_A_NODE = 10;
/** No address and no time is longer; the expressions behind some formats take more than linear time. */
export const MAX_FORMAT_CHARACTERS = 2_048;
/** Of a path that is told, and of a message. */
export const MAX_TOLD_CHARACTERS = 256;
/** UTF-8 bytes, as of the events themselves. */
export const MAX_EVENT_NAME_BYTES = 1_024;
