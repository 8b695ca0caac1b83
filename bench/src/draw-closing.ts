import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { withDemoContext } from '@handwise/demo/demo-context';
import { formatLeaf, formatLeafTime } from '@handwise/proof/log';
import { appendLeaves, hashLeaf, type ReadNodes } from '@handwise/proof/tree';
import { openRunFolder } from '@handwise/sandbox/runs/run-folder';
import { startPostgres } from '@handwise/sandbox/postgres';
import { closeDueDraws, completeDueDraws, listEntriesWithProofs, readProof } from '@handwise/server/domains/draws/draws.service';
import { closingTimeOf, issueTickets } from '@handwise/server/domains/tickets/tickets.service';
import { readEnv } from '@handwise/server/env';
import type { TicketContext } from '@handwise/server/domains/tickets/tickets.service';
import { prepareDatabase } from '@handwise/server/prepare-database';
import pg from 'pg';
import { printTable } from './load.ts';

const people = 50_000;
const entriesEach = 4;
const atOnce = 20_000;
const month = { year: 2031, month: 6 };

const timed = async <T>(work: () => Promise<T>): Promise<[number, T]> => {
  const begun = performance.now();
  const result = await work();
  return [performance.now() - begun, result];
};

/** Closing a month of a million tickets in 200,000 entries through the service and a database, and what readers then ask of it. */
export async function benchDrawClosing() {
  const run = openRunFolder('handwise-bench-draw-');
  const postgres = await startPostgres({ dataDir: join(run.path, 'postgres') });
  const client = new pg.Client({ connectionString: postgres.url });
  try {
    await prepareDatabase(postgres.url);
    await client.connect();
    const env = readEnv({ NODE_ENV: 'test', DATA_DIR: run.path });
    await withDemoContext(env, postgres.url, async (context, clock) => {
      const closing = closingTimeOf(month);
      clock.time = new Date(closing.getTime() - 86_400_000);
      const total = await fillMonth(client, context);
      clock.time = closing;
      const [closes] = await timed(() => closeDueDraws(context));
      const draw = await context.db.selectFrom('draws').select(['total_tickets', 'total_entries', 'expected_at']).executeTakeFirstOrThrow();
      if (draw.total_entries < 0.98 * total || !draw.expected_at) throw new Error(`${draw.total_entries} of ${total} entries were frozen`);
      clock.time = draw.expected_at;
      const [draws] = await timed(() => completeDueDraws(context));
      const [reads, proof] = await timed(async () => text(await readProof(context.db, '2031-06')));
      const { rows } = await client.query<{ id: string }>(
        'select user_id as id from draw_entries where voided_at is null limit 1 offset 77777',
      );
      const [paths, own] = await timed(() => listEntriesWithProofs(context.db, rows[0]?.id ?? '', undefined));
      if (own.length !== entriesEach || own.some((one) => !one.proof)) throw new Error('somebody has no path to the root');
      printTable(
        `A month of ${draw.total_tickets} tickets in ${draw.total_entries} entries, through the service and the database: ms`,
        ['', 'took', 'at most'],
        [
          ['closing: void entries, last head, frozen entries, tree, announced round', closes, 5000],
          ['drawing: winner and reserves, once the round is out', draws, 5000],
          [`proof file of ${(proof.length / 1e6).toFixed(0)} MB`, reads, 2000],
          ['own entries with their paths', paths, 200],
        ],
      );
    });
  } finally {
    await client.end();
    await postgres.stop();
    await run.close();
  }
}

/** Entries of five tickets each with their log, some of people who take no part. The log goes past the service, leaf by leaf would take an hour. */
async function fillMonth(client: pg.Client, context: TicketContext): Promise<number> {
  await client.query(
    `insert into users (full_name, username, email, password_hash, referral_code, email_confirmed_at)
     select 'Mere Kingi', 'person_' || n, 'person' || n || '@example.org', 'x', 'REF-PER-' || n, case when n % 100 > 0 then now() end
     from generate_series(1, ${people}) as n`,
  );
  const { rows: users } = await client.query<{ id: string }>('select id from users order by id');
  // The first one begins the month.
  const first = await context.db
    .transaction()
    .execute((tx) => issueTickets(tx, context, { userId: users[0]?.id ?? '', tickets: 5, source: 'signup' }));
  const { rows: leaves } = await client.query<{ data: string }>('select data from ticket_log_leaves');
  const at = context.clock.now();
  const entries = Array.from({ length: people * entriesEach }, (_, number) => ({
    id: number === 0 ? first.entryId : createHash('sha256').update(`bench ${number}`).digest('hex').slice(0, 32),
    user: users[number % people]?.id ?? '',
  }));
  const texts = entries.map(({ id }, number) =>
    number === 0 ? (leaves[0]?.data ?? '') : formatLeaf({ kind: 'issued', entryId: id, tickets: 5, at: formatLeafTime(at) }),
  );
  const nothing: ReadNodes = () => [];
  const nodes = (await appendLeaves(0, texts.map(hashLeaf), nothing)).filter(({ level }) => level > 0);
  for (let from = 1; from < entries.length; from += atOnce) {
    const some = entries.slice(from, from + atOnce);
    await client.query(
      `insert into draw_entries (id, period_id, user_id, tickets, source, created_at, leaf_index)
       select id, $1, user_id, 5, 'signup', $4, $5 + place - 1 from unnest($2::text[], $3::uuid[]) with ordinality as rows (id, user_id, place)`,
      [first.periodId, some.map(({ id }) => id), some.map(({ user }) => user), at, from],
    );
    await client.query(
      `insert into ticket_log_leaves (period_id, index, data) select $1, $3 + place - 1, data from unnest($2::text[]) with ordinality as rows (data, place)`,
      [first.periodId, texts.slice(from, from + atOnce), from],
    );
  }
  for (let from = 0; from < nodes.length; from += atOnce) {
    const some = nodes.slice(from, from + atOnce);
    await client.query(
      `insert into ticket_log_nodes (period_id, level, index, hash) select $1, * from unnest($2::int[], $3::int[], $4::bytea[])`,
      [first.periodId, some.map(({ level }) => level), some.map(({ index }) => index), some.map(({ hash }) => Buffer.from(hash))],
    );
  }
  await client.query('update draw_periods set log_size = $2 where id = $1', [first.periodId, entries.length]);
  await client.query('analyze');
  return entries.length;
}
