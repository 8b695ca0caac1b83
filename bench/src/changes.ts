import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

/** Changes listings, so many a second, until it is stopped: what is written, what is filtered by, plans, reviews, beginnings and ends. It puts back plans and states. */
export function changeListings(databaseUrl: string, perSecond: number) {
  const state = { stopped: false };
  let changed = 0;
  const work = async () => {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    const { rows } = await client.query<{ id: string }>(
      `select id from listings where status = 'active' order by md5(id::text) limit 10000`,
    );
    const begun = performance.now();
    const one = (update: string) => async (id: string) => void (await client.query(update, [id]));
    const toAndBack = (to: string, back: string) => async (id: string) => {
      await client.query(to, [id]);
      await client.query(back, [id]);
      changed += 1;
    };
    // Of ten: four texts, two prices, two reviews, a plan, an end and a beginning.
    const kinds = [
      ...Array.from({ length: 4 }, () =>
        one(`update listings set business_info = business_info || '.' where id = $1 and length(business_info) < 900`),
      ),
      one(`update listings set price_from_minor = 3000 + (coalesce(price_from_minor, 0) + 700) % 20000, price_unit = 'hour' where id = $1`),
      one(`update listings set price_from_minor = 3000 + (coalesce(price_from_minor, 0) + 900) % 20000, price_unit = 'hour' where id = $1`),
      one(
        `update reviews set rating = 1 + rating % 5 where id = (select id from reviews where listing_id = $1 and removed_at is null limit 1)`,
      ),
      one(
        `update reviews set rating = 1 + rating % 5 where id = (select id from reviews where listing_id = $1 and removed_at is null limit 1)`,
      ),
      toAndBack(
        'update listings set plan_rank = plan_rank % 3 + 1 where id = $1',
        'update listings set plan_rank = (plan_rank + 1) % 3 + 1 where id = $1',
      ),
      toAndBack(
        `update listings set status = 'inactive' where id = $1 and status = 'active'`,
        `update listings set status = 'active' where id = $1 and status = 'inactive'`,
      ),
    ];
    while (!state.stopped) {
      const due = begun + (changed / perSecond) * 1_000;
      // oxlint-disable-next-line no-await-in-loop -- one change after the other
      await pause(Math.max(0, due - performance.now()));
      const id = rows[Math.floor(Math.random() * rows.length)]?.id ?? '';
      // oxlint-disable-next-line no-await-in-loop
      await kinds[Math.floor(Math.random() * kinds.length)]?.(id);
      changed += 1;
    }
    await client.end();
  };
  const working = work();
  return {
    async stop() {
      state.stopped = true;
      await working;
      return changed;
    },
  };
}
