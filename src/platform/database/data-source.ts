import type { DataSourceOptions } from 'typeorm';
import { migrations } from './migrations';
import { POOL_DEFAULTS } from './open-pool';

/** Connections TypeORM may hold for the configuration resources, beside the pool of the hot path. */
const CONFIGURATION_POOL_SIZE = 4;

export function dataSourceOptions(databaseUrl: string): DataSourceOptions {
  return {
    type: 'postgres',
    url: databaseUrl,
    synchronize: false,
    migrationsRun: false,
    migrationsTransactionMode: 'each',
    migrations,
    poolSize: CONFIGURATION_POOL_SIZE,
    applicationName: 'cdp-service-config',
    extra: POOL_DEFAULTS,
  };
}
