import { syncReferenceData } from '../domains/listings/listings.service.ts';
import { syncLocalities } from '../domains/places/places.service.ts';
import { syncPlans } from '../domains/plans/plans.service.ts';
import { syncLicenceRequirements } from '../domains/registers/registers.service.ts';
import { applyStoredSettings } from '../domains/site/site.service.ts';
import { openDatabase } from '../kit/database/database.ts';
import { withMigrationLock, migrate, readMigrations } from '../kit/database/migrations.ts';
import { prepareJobs } from '../kit/jobs/boss.ts';

/** Prepares a database for this version: migrations, places, categories, licence requirements, plans and the tables of jobs. Idempotent. */
export async function prepareDatabase(url: string): Promise<void> {
  // `openDatabase` closes silent connections, so a stopped database is reported as an error here too.
  const database = openDatabase({ url, connections: 2, onIdleError: () => {} });
  try {
    const client = await database.pool.connect();
    try {
      // The lock covers everything, because two processes that create the tables of jobs at once fail.
      await withMigrationLock(client, async () => {
        await migrate(client, await readMigrations());
        await database.db.transaction().execute(async (tx) => {
          await syncReferenceData(tx);
          await syncLicenceRequirements(tx);
          await syncLocalities(tx);
          await applyStoredSettings(tx);
          await syncPlans(tx);
        });
        await prepareJobs(database.pool);
      });
    } finally {
      // Closes the connection, which has the settings of migrations.
      client.release(true);
    }
  } finally {
    await database.close();
  }
}
