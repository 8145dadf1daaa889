/**
 * Thrown when the environment does not make a valid configuration; the message names each variable. In a file of its
 * own, so that a command can say so without loading all variables.
 */
export class InvalidConfigError extends Error {}
