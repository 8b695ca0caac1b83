import { once } from 'node:events';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import * as bulk from '@handwise/demo/bulk-conversations';
import {
  bulkFactColumns,
  type FillPlan,
  listingLines,
  meanOfStars,
  planFill,
  registerCheckLines,
  reviewLines,
  subscriptionLines,
  userLines,
} from '@handwise/demo/bulk-rows';
import { readEnv } from '@handwise/server/env';
import { prepareDatabase } from '@handwise/server/startup/prepare-database';
import { type Postgres, usePostgres } from './postgres.ts';

const usage =
  'Usage: npm run data:fill -- --listings N [--reviews-per-listing R] [--conversations C]   (into DATABASE_URL, or the embedded database of DATA_DIR)';

const maxConversationsPerListing = 200;

// Below this, updating the indexes is quicker than rebuilding them.
const rebuildFrom = 50_000;

async function copyLines(client: pg.Client, target: string, lines: Iterable<string>, onLines: (done: number) => void) {
  const stream = client.query(copyFrom(`copy ${target} from stdin`));
  const finished = once(stream, 'finish');
  let buffer = '';
  let done = 0;
  for (const line of lines) {
    buffer += line;
    done++;
    if (buffer.length < 262_144) continue;
    onLines(done);
    if (!stream.write(buffer)) await Promise.race([once(stream, 'drain'), finished]);
    buffer = '';
  }
  stream.end(buffer);
  await finished;
  onLines(done);
}

/** Drops the indexes that no constraint needs, and returns their definitions. */
async function dropIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
    from pg_index
    where indrelid in ('users'::regclass, 'listings'::regclass, 'reviews'::regclass, 'subscriptions'::regclass)
      and not exists (select from pg_constraint where conindid = indexrelid)`);
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return rows.map(({ definition }) => definition);
}

/**
 * Adds `listings` synthetic listings with about `reviewsPerListing` reviews each and `conversations` in all, a third of them with a
 * quote, and the users and subscriptions that they need, to the database's rows, in one transaction that locks the tables.
 * The same arguments on the same database give the same rows. Needs a superuser, because triggers and foreign keys
 * are disabled meanwhile; the rows comply with both.
 */
export async function fillListings({
  connectionString,
  listings,
  reviewsPerListing = 0,
  conversations = 0,
  onProgress = () => {},
}: {
  connectionString: string;
  listings: number;
  reviewsPerListing?: number;
  conversations?: number;
  onProgress?: (done: number, total: number, what: string) => void;
}): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query('begin');
    await client.query(`set local session_replication_role = replica`);
    await client.query(`set local maintenance_work_mem = '512MB'`);
    await client.query(`set local work_mem = '256MB'`);
    await client.query('lock table listings, reviews, register_checks in access exclusive mode');
    const { rows: plans } = await client.query<{ id: string; plan_type: string; rank: number }>('select id, plan_type, rank from plans');
    if (plans.length === 0) throw new Error('This database has no plans yet. Start the server on it once, then fill it.');
    const { rows: last } = await client.query<{ number: number }>('select coalesce(max(listing_number), 1000) as number from listings');
    // Already up to date with the ratings below.
    if (reviewsPerListing > 0)
      await client.query("insert into category_means select code, $1, 'epoch' from categories on conflict do nothing", [meanOfStars]);
    const { rows: means } = await client.query<{ category_code: number; mean: number }>('select category_code, mean from category_means');
    const plan: FillPlan = planFill({
      listings,
      reviewsPerListing,
      conversations,
      firstNumber: (last[0]?.number ?? 1000) + 1,
      plans,
      today: new Date(),
      means: new Map(means.map((row) => [row.category_code, row.mean])),
    });

    const indexes = listings >= rebuildFrom ? await dropIndexes(client) : [];
    const report = (what: string, total: number) => (done: number) => onProgress(done, total, what);
    await copyLines(
      client,
      'users (id, full_name, username, email, password_hash, referral_code, created_at)',
      userLines(plan),
      report('users', plan.users),
    );
    await copyLines(
      client,
      'subscriptions (id, user_id, plan_id, starts_at, ends_at, country, source, slots, slots_used)',
      subscriptionLines(plan),
      report('subscriptions', plan.subscriptions),
    );
    await copyLines(
      client,
      'listings (id, listing_number, seller_id, subscription_id, status, plan_rank, subscription_ends_at, country, region_code, district_code, base_locality_code, service_radius_km, service_districts, main_category, category_code, sub_category_code, service_title, service_description, services, business_title, business_email, business_info, website, logo_color, rating_counts, created_at, updated_at, group_mean, ' +
        `${bulkFactColumns})`,
      listingLines(plan),
      report('listings', listings),
    );
    await copyLines(
      client,
      'register_checks (listing_id, register, number, state, register_name, sandbox, checked_at, check_at)',
      registerCheckLines(plan),
      report('register checks', Math.round(listings / 4)),
    );
    if (reviewsPerListing > 0)
      await copyLines(
        client,
        'reviews (id, listing_id, author_id, rating, comment, created_at)',
        reviewLines(plan),
        report('reviews', Math.round(listings * reviewsPerListing)),
      );

    const conversing = [
      [`conversations (${bulk.conversationColumns})`, bulk.conversationLines],
      [`participants (${bulk.participantColumns})`, bulk.participantLines],
      [`messages (${bulk.messageColumns})`, bulk.messageLines],
      [`quotes (${bulk.quoteColumns})`, bulk.quoteLines],
      [`quote_lines (${bulk.quoteLineColumns})`, bulk.quoteLineLines],
    ] as const;
    if (conversations > 0)
      for (const [target, lines] of conversing) await copyLines(client, target, lines(plan), report('conversations', conversations));

    for (const [index, definition] of indexes.entries()) {
      await client.query(definition);
      onProgress(index + 1, indexes.length, 'indexes');
    }
    onProgress(0, 1, 'counts');
    await client.query(`select setval(pg_get_serial_sequence('listings', 'listing_number'), (select max(listing_number) from listings))`);
    await client.query('select rebuild_vocabulary()');
    // Sums of the listings' own counts, which saves reading millions of reviews.
    await client.query('delete from category_ratings');
    await client.query(`
      insert into category_ratings
      select category_code, country, sum(c[1] + c[2] + c[3] + c[4] + c[5]), sum(c[1] + 2 * c[2] + 3 * c[3] + 4 * c[4] + 5 * c[5])
      from (select category_code, country, rating_counts as c from listings) as counted
      group by 1, 2 having sum(c[1] + c[2] + c[3] + c[4] + c[5]) > 0`);
    // The triggers that notify running servers were disabled.
    await client.query(`select publish_change('listings', '"many"')`);
    await client.query('commit');
    await client.query('vacuum analyze listings');
    await client.query(
      'analyze users, subscriptions, reviews, search_vocabulary, conversations, participants, messages, quotes, quote_lines',
    );
    onProgress(1, 1, 'counts');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  } finally {
    await client.end();
  }
}

/** The command's arguments; throws an Error with a message for the user. */
export function readArguments(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      listings: { type: 'string' },
      'reviews-per-listing': { type: 'string', default: '0' },
      conversations: { type: 'string', default: '0' },
    },
  });
  const listings = Number(values.listings);
  const reviewsPerListing = Number(values['reviews-per-listing']);
  if (!values.listings || !/^\d+$/.test(values.listings) || listings < 1 || listings > 50_000_000)
    throw new Error('--listings needs a whole number from 1 to 50000000');
  if (!/^\d+(\.\d+)?$/.test(values['reviews-per-listing']) || reviewsPerListing > 20)
    throw new Error('--reviews-per-listing needs a number from 0 to 20');
  const conversations = Number(values.conversations);
  if (!/^\d+$/.test(values.conversations) || conversations > listings * maxConversationsPerListing)
    throw new Error(`--conversations needs a whole number of at most ${maxConversationsPerListing} per listing`);
  return { listings, reviewsPerListing, conversations };
}

async function run() {
  let options: ReturnType<typeof readArguments>;
  try {
    options = readArguments(process.argv.slice(2));
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
    process.exitCode = 1;
    return;
  }
  const started = performance.now();
  const seconds = () => ((performance.now() - started) / 1000).toFixed(1);
  let shown = 0;
  let database: Postgres | undefined;
  try {
    const env = readEnv(process.env);
    if (!env.databaseUrl) database = await usePostgres(env.dataDir);
    const connectionString = env.databaseUrl ?? database?.url ?? '';
    await prepareDatabase(connectionString);
    await fillListings({
      ...options,
      connectionString,
      onProgress(done, total, what) {
        if (performance.now() - shown < 2000 && done < total) return;
        shown = performance.now();
        console.log(`${seconds().padStart(6)} s  ${what} ${done.toLocaleString('en-NZ')} of ${total.toLocaleString('en-NZ')}`);
      },
    });
    console.log(`Added ${options.listings.toLocaleString('en-NZ')} listings in ${seconds()} s`);
  } catch (error) {
    console.error(`Nothing was added: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  } finally {
    await database?.stop();
  }
}

if (import.meta.main) await run();
