import 'reflect-metadata';
import { withSecrets } from '../platform/boot/development-secrets';
import { openDatabase } from '../platform/boot/open-database';
import { reportBootFailure } from '../platform/boot/report-boot-failure';
import { Config } from '../platform/config/config';
import { withOwnConnection } from '../platform/database/connections/own-connection';
import { resealAll } from '../platform/secrets/reseal-all';
import { SecretBox } from '../platform/secrets/secret-box';

/**
 * `npm run rotate-encryption-key`: seals every secret anew under the first key of `CDP_ENCRYPTION_KEY`. Put the new
 * key in front of the old one, restart all processes, run this, then take the old key away.
 */
async function rotate(): Promise<void> {
  const database = await openDatabase(withSecrets(Config.ofProcess()));
  const { config } = database;
  try {
    const count = await withOwnConnection(config.directDatabaseUrl, 'cdp-service-rotation', (client) =>
      resealAll(client, new SecretBox(config)),
    );
    process.stdout.write(`${count} rows were sealed anew.\n`);
  } finally {
    await database.close();
  }
}

rotate().catch((error: unknown) => {
  reportBootFailure(error);
  process.exitCode = 1;
});
