import { syncReferenceData } from './domains/listings/listings.service.ts';
import { syncLocalities } from './domains/places/places.service.ts';
import { syncPlans } from './domains/plans/plans.service.ts';
import { openDatabase } from './kit/database/database.ts';
import { prepareJobs } from './kit/jobs/boss.ts';
import { inTurn, migrate, readMigrations } from './kit/database/migrations.ts';

/** Brings a database to what this version of the server needs: its migrations, its places, categories and plans, and the tables of its jobs. */
export async function prepareDatabase(url: string): Promise<void> {
  // Its watch throws away a connection that says nothing: a database that stands still shows as an error here, too.
  const database = openDatabase({ url, connections: 2, onIdleError: () => {} });
  try {
    const client = await database.pool.connect();
    try {
      // All of it: two processes that start on an empty database would make the tables of jobs at once, and one of them would fail.
      await inTurn(client, async () => {
        await migrate(client, await readMigrations());
        await database.db.transaction().execute(async (tx) => {
          await syncReferenceData(tx);
          await syncLocalities(tx);
          await syncPlans(tx);
        });
        await prepareJobs(database.pool);
      });
    } finally {
      // With the settings of migrations nobody else may go on.
      client.release(true);
    }
  } finally {
    await database.close();
  }
}
