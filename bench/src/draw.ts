import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { withDemoContext } from '@handwise/demo/demo-context';
import { formatLeaf, formatLeafTime } from '@handwise/proof/log';
import { appendLeaves, hashLeaf } from '@handwise/proof/tree';
import { startPostgres } from '@handwise/sandbox/postgres';
import { openRunFolder } from '@handwise/sandbox/runs/run-folder';
import { closeDueDraws, completeDueDraws, listEntriesWithProofs, readProof } from '@handwise/server/domains/draws/draws.service';
import { type TicketContext, getClosingTime, issueTickets, streamLogText } from '@handwise/server/domains/tickets/tickets.service';
import { readEnv } from '@handwise/server/env';
import { prepareDatabase } from '@handwise/server/prepare-database';
import { chromium } from '@playwright/test';
import pg from 'pg';
import { build } from 'vite';
import { printBars, timed } from './load.ts';

const people = 50_000;
/** Entries of five tickets each that take part, and entries that were issued and voided again: a log of a million leaves. */
const validEntries = 200_000;
const voidedEntries = 400_000;
const rowsPerInsert = 20_000;
const month = { year: 2031, month: 6 };

/** Closing a month of a million tickets through the service and the database, and checking its proof and log in a browser. */
export async function benchDraw(): Promise<void> {
  const run = openRunFolder('handwise-bench-draw-');
  const postgres = await startPostgres({ dataDir: join(run.path, 'postgres') });
  const client = new pg.Client({ connectionString: postgres.url });
  try {
    await prepareDatabase(postgres.url);
    await client.connect();
    const env = readEnv({ NODE_ENV: 'test', DATA_DIR: run.path });
    await withDemoContext(env, postgres.url, async (context, clock) => {
      clock.time = new Date(getClosingTime(month).getTime() - 86_400_000);
      await fillMonth(client, context);
      clock.time = getClosingTime(month);
      const [closing] = await timed(() => closeDueDraws(context));
      const draw = await context.db.selectFrom('draws').select(['total_entries', 'expected_at']).executeTakeFirstOrThrow();
      if (draw.total_entries < 0.98 * validEntries || !draw.expected_at) throw new Error(`${draw.total_entries} entries were frozen`);
      clock.time = draw.expected_at;
      const [drawing] = await timed(() => completeDueDraws(context));
      const [reading, proof] = await timed(async () => text(await readProof(context.db, '2031-06')));
      const { rows } = await client.query<{ id: string }>(
        'select user_id as id from draw_entries where voided_at is null limit 1 offset 77777',
      );
      const [paths, own] = await timed(() => listEntriesWithProofs(context.db, rows[0]?.id ?? '', undefined));
      if (own.filter((one) => one.proof).length !== validEntries / people) throw new Error('An entry has no path to the root');
      const { rows: periods } = await client.query<{ id: string; logSize: number }>('select id, log_size as "logSize" from draw_periods');
      const period = periods[0];
      if (!period) throw new Error('There is no month');
      const [short, long] = await checkInBrowser(proof, await text(Readable.from(streamLogText(context.db, period))));
      console.log(`\n${draw.total_entries} entries of five tickets, a log of ${period.logSize} leaves, ms`);
      printBars([
        { what: 'closing: voids, last head, frozen entries, tree, announced round', measured: closing, atMost: 5_000 },
        { what: 'drawing the winner and reserves', measured: drawing, atMost: 5_000 },
        { what: `writing the proof of ${(proof.length / 1e6).toFixed(0)} MB`, measured: reading },
        { what: 'own entries with their paths', measured: paths },
        { what: 'check of the proof in the browser', measured: short, atMost: 3_000 },
        { what: 'replay of the log more', measured: long - short, atMost: 5_000 },
      ]);
    });
  } finally {
    await client.end();
    await postgres.stop();
    await run.close();
  }
}

/** Inserts the month's entries and its log directly: through the service, leaf by leaf, it would take an hour. */
async function fillMonth(client: pg.Client, context: TicketContext): Promise<void> {
  // One person in a hundred has not confirmed the address and takes no part.
  await client.query(
    `insert into users (full_name, username, email, password_hash, referral_code, email_confirmed_at)
     select 'Mere Kingi', 'person_' || n, 'person' || n || '@example.org', 'x', 'REF-PER-' || n, case when n % 100 > 0 then now() end
     from generate_series(1, ${people}) as n`,
  );
  const { rows: users } = await client.query<{ id: string }>('select id from users order by id');
  // The first ticket opens the month.
  const first = await context.db
    .transaction()
    .execute((tx) => issueTickets(tx, context, { userId: users[0]?.id ?? '', tickets: 5, source: 'signup' }));
  const { rows: issued } = await client.query<{ data: string }>('select data from ticket_log_leaves');
  const now = context.clock.now();
  const at = formatLeafTime(now);
  const ids = Array.from({ length: validEntries + voidedEntries }, (_, number) =>
    number === 0 ? first.entryId : createHash('sha256').update(`bench ${number}`).digest('hex').slice(0, 32),
  );
  const leaves = [
    issued[0]?.data ?? '',
    ...ids.slice(1).map((entryId) => formatLeaf({ kind: 'issued', entryId, tickets: 5, at })),
    ...ids.slice(validEntries).map((entryId) => formatLeaf({ kind: 'voided', entryId, reason: 'swapped', at })),
  ];
  const nodes = (await appendLeaves(0, leaves.map(hashLeaf), () => [])).filter(({ level }) => level > 0);
  await insertAll(ids, 1, (some, from) =>
    client.query(
      `insert into draw_entries (id, period_id, user_id, tickets, source, created_at, leaf_index, voided_at, void_reason)
       select id, $1, user_id, 5, 'signup', $4, $5 + place - 1,
         case when $5 + place > $6 then $4::timestamptz end, case when $5 + place > $6 then 'swapped' end
       from unnest($2::text[], $3::uuid[]) with ordinality as rows (id, user_id, place)`,
      [first.periodId, some, some.map((_, index) => users[(from + index) % people]?.id), now, from, validEntries],
    ),
  );
  await insertAll(leaves, 1, (some, from) =>
    client.query(
      `insert into ticket_log_leaves (period_id, index, data)
       select $1, $3 + place - 1, data from unnest($2::text[]) with ordinality as rows (data, place)`,
      [first.periodId, some, from],
    ),
  );
  await insertAll(nodes, 0, (some) =>
    client.query(
      `insert into ticket_log_nodes (period_id, level, index, hash) select $1, * from unnest($2::int[], $3::int[], $4::bytea[])`,
      [first.periodId, some.map(({ level }) => level), some.map(({ index }) => index), some.map(({ hash }) => Buffer.from(hash))],
    ),
  );
  await client.query('update draw_periods set log_size = $2 where id = $1', [first.periodId, leaves.length]);
  await client.query('analyze');
}

async function insertAll<T>(items: readonly T[], start: number, insert: (some: readonly T[], from: number) => Promise<unknown>) {
  for (let from = start; from < items.length; from += rowsPerInsert) await insert(items.slice(from, from + rowsPerInsert), from);
}

/** Milliseconds of the check without and with the log, bundled as on the page, each in a fresh page. */
async function checkInBrowser(proof: string, log: string): Promise<[number, number]> {
  const lib = { entry: join(import.meta.dirname, 'draw-browser.ts'), formats: ['iife' as const], name: 'bench' };
  const built = await build({ configFile: false, logLevel: 'error', build: { write: false, target: 'es2022', lib } });
  const [chunk] = [built].flat().flatMap((one) => ('output' in one ? one.output.filter((output) => output.type === 'chunk') : []));
  const files: Record<string, string> = {
    '/': '<!doctype html><script src="/check.js"></script>',
    '/check.js': chunk?.code ?? '',
    '/proof': proof,
    '/log': log,
  };
  const server = createServer(({ url = '' }, response) => {
    response.writeHead(200, { 'content-type': `${url === '/' ? 'text/html' : 'text/javascript'}; charset=utf-8` }).end(files[url] ?? '');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const executablePath = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome'].find((path) =>
    existsSync(path),
  );
  const browser = await chromium.launch({
    ...(executablePath && { executablePath }),
    args: ['--no-sandbox', '--disable-quic', '--disable-background-networking'],
  });
  const check = async (withLog: boolean) => {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const { ms, isValid } = await page.evaluate(async (withLog) => {
      const read = async (path: string) => (await fetch(path)).text();
      return globalThis.check({ proof: await read('/proof'), ...(withLog && { log: await read('/log') }) });
    }, withLog);
    if (!isValid) throw new Error('The draw does not hold');
    await page.close();
    return ms;
  };
  try {
    return [await check(false), await check(true)];
  } finally {
    await browser.close();
    server.close();
    server.closeAllConnections();
  }
}
