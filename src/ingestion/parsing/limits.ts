import { Config } from '../../platform/config/config';

/** Levels of objects and arrays in one event, itself included. PostgreSQL's JSON parser ends at some thousand. */
export const MAX_EVENT_DEPTH = 64;
/** Characters, which are UTF-16 units here. */
export const MAX_MESSAGE_ID_LENGTH = 255;
/** UTF-8 bytes of the name of an event, a page or a screen, and of a category. */
export const MAX_NAME_BYTES = 1_024;

/** The sizes that are configured. */
export type Limits = Config['intake'];

export function limitsOf(config: Config): Limits {
  return config.intake;
}

/** Where nothing is configured. */
export const DEFAULT_LIMITS = limitsOf(Config.from({}));
