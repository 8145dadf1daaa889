import { createService } from './bootstrap';
import { Config } from './platform/config/config';
import { startEmbeddedPostgres } from './platform/database/embedded-postgres';
import { runMigrations } from './platform/database/run-migrations';

async function main(): Promise<void> {
  let config = Config.from();
  if (config.env.CDP_DATABASE_URL === undefined) {
    const postgres = await startEmbeddedPostgres({ directory: `${config.env.CDP_DATA_DIR}/postgres` });
    config = config.with({ CDP_DATABASE_URL: postgres.url });
  }
  await runMigrations(config.databaseUrl);
  const service = await createService(config);
  await service.app.listen(config.env.PORT, config.host);
}

void main();
