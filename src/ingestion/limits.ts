import { Config } from '../platform/config/config';

/** The sizes ingestion accepts. */
export type Limits = Config['intake'];

export function limitsOf(config: Config): Limits {
  return config.intake;
}

/** Where nothing is configured. The DTO classes have these: decorators run before there is a configuration. */
export const DEFAULT_LIMITS = limitsOf(Config.from({}));
