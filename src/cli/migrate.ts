import 'reflect-metadata';
import { migrateDatabase } from '../platform/boot/migrate-database';
import { openDatabase } from '../platform/boot/open-database';
import { reportBootFailure } from '../platform/boot/report-boot-failure';
import { Config } from '../platform/config/config';

/** `npm run migrate`: brings the database up to this version, as every start does, and ends. */
async function migrate(): Promise<void> {
  const database = await openDatabase(Config.ofProcess());
  try {
    await migrateDatabase(database.config);
    process.stdout.write('The database is up to date.\n');
  } finally {
    await database.close();
  }
}

migrate().catch((error: unknown) => {
  reportBootFailure(error);
  process.exitCode = 1;
});
