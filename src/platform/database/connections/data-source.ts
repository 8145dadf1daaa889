import type { DataSourceOptions } from 'typeorm';
import { migrations } from '../migrations';
import { POOL_DEFAULTS } from './open-pool';

/** The connections that TypeORM may hold for the configuration resources. The hot path has a pool of its own. */
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
