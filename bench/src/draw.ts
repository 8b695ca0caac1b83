import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import type pg from 'pg';
import { build } from 'vite';
import { withDemoContext } from '@handwise/demo/demo-context';
import { formatLeaf, formatLeafTime } from '@handwise/proof/log';
import { appendLeaves, hashLeaf } from '@handwise/proof/tree';
import type { verifyDraw } from '@handwise/proof/verify';
import { closeDueDraws, completeDueDraws, readProof } from '@handwise/server/domains/draws/draws.service';
import { type TicketContext, getClosingTime, issueTickets, streamLogText } from '@handwise/server/domains/tickets/tickets.service';
import { readEnv } from '@handwise/server/env';
import { printBars, timed } from './load.ts';
import { openDatabase } from './stage.ts';

const people = 50_000;
/** Entries of five tickets each that take part, and entries that were issued and voided again: a log of a million leaves. */
const validEntries = 200_000;
const voidedEntries = 400_000;
const month = { year: 2031, month: 6 };

/** Closing a month of a million tickets through the service and the database, and checking its proof and log in a browser. */
export async function benchDraw(dir: string): Promise<void> {
  const { client, url, close } = await openDatabase(dir);
  await withDemoContext(readEnv({ NODE_ENV: 'test', DATA_DIR: dir }), url, async (context, clock) => {
    clock.time = new Date(getClosingTime(month).getTime() - 86_400_000);
    await fillMonth(client, context);
    clock.time = getClosingTime(month);
    const [closing] = await timed(() => closeDueDraws(context));
    const draw = await context.db.selectFrom('draws').select(['total_entries', 'expected_at']).executeTakeFirstOrThrow();
    if (draw.total_entries < 0.98 * validEntries || !draw.expected_at) throw new Error(`${draw.total_entries} entries were frozen`);
    // Closing voids entries, which adds leaves.
    const { id, log_size: logSize } = await context.db.selectFrom('draw_periods').select(['id', 'log_size']).executeTakeFirstOrThrow();
    clock.time = draw.expected_at;
    await completeDueDraws(context);
    const proof = await text(await readProof(context.db, '2031-06'));
    const { check, replay } = await checkInBrowser(proof, await text(Readable.from(streamLogText(context.db, { id, logSize }))));
    console.log(`\n${draw.total_entries} entries of five tickets, a log of ${logSize} leaves, ms`);
    printBars([
      { what: 'closing: voids, last head, frozen entries, tree, announced round', measured: closing, atMost: 5_000 },
      { what: 'check of the proof in the browser', measured: check, atMost: 3_000 },
      { what: 'replay of the log more', measured: replay - check, atMost: 5_000 },
    ]);
  });
  await close();
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
  const { periodId } = await context.db
    .transaction()
    .execute((tx) => issueTickets(tx, context, { userId: users[0]?.id ?? '', tickets: 5, source: 'signup' }));
  const { rows: issued } = await client.query<{ data: string }>('select data from ticket_log_leaves');
  const now = context.clock.now();
  const at = formatLeafTime(now);
  const ids = Array.from({ length: validEntries + voidedEntries - 1 }, () => randomBytes(16).toString('hex'));
  const voided = ids.slice(validEntries - 1);
  const added = [
    ...ids.map((entryId) => formatLeaf({ kind: 'issued', entryId, tickets: 5, at })),
    ...voided.map((entryId) => formatLeaf({ kind: 'voided', entryId, reason: 'swapped', at })),
  ];
  const leaves = [issued[0]?.data ?? '', ...added];
  const nodes = (await appendLeaves(0, leaves.map(hashLeaf), () => [])).filter(({ level }) => level > 0);
  await client.query(
    `insert into draw_entries (id, period_id, user_id, tickets, source, created_at, leaf_index, voided_at, void_reason)
     select id, $1, user_id, 5, 'signup', $4, index, case when index >= $5 then $4::timestamptz end, case when index >= $5 then 'swapped' end
     from unnest($2::text[], $3::uuid[]) with ordinality as rows (id, user_id, index)`,
    [periodId, ids, ids.map((_, index) => users[(index + 1) % people]?.id), now, validEntries],
  );
  await client.query(
    'insert into ticket_log_leaves (period_id, index, data) select $1, index, data from unnest($2::text[]) with ordinality as rows (data, index)',
    [periodId, added],
  );
  await client.query(
    `insert into ticket_log_nodes (period_id, level, index, hash) select $1, * from unnest($2::int[], $3::int[], $4::bytea[])`,
    [periodId, nodes.map(({ level }) => level), nodes.map(({ index }) => index), nodes.map(({ hash }) => Buffer.from(hash))],
  );
  await client.query('update draw_periods set log_size = $2 where id = $1', [periodId, leaves.length]);
  await client.query('analyze');
}

/** Milliseconds of the check without and with the log, bundled as on the page, each in a fresh page. */
async function checkInBrowser(proof: string, log: string): Promise<{ check: number; replay: number }> {
  const lib = { entry: fileURLToPath(import.meta.resolve('@handwise/proof/verify')), formats: ['iife' as const], name: 'bench' };
  const built = await build({ configFile: false, logLevel: 'error', build: { write: false, target: 'es2022', lib } });
  const [chunk] = [built].flat().flatMap((one) => ('output' in one ? one.output.filter((output) => output.type === 'chunk') : []));
  const page = '<!doctype html><meta charset="utf-8"><script src="/verify.js"></script>';
  const files = new Map(Object.entries({ '/': page, '/verify.js': chunk?.code, '/proof': proof, '/log': log }));
  const server = createServer(({ url = '' }, response) => void response.end(files.get(url))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const browser = await chromium.launch({ executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium-headless-shell' });
  const checkWith = async (withLog: boolean) => {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const { ms, isValid } = await page.evaluate(async (withLog) => {
      const { bench } = globalThis as unknown as { bench: { verifyDraw: typeof verifyDraw } };
      const read = async (path: string) => (await fetch(path)).text();
      const evidence = { proof: await read('/proof'), ...(withLog && { log: await read('/log') }) };
      const startedAt = performance.now();
      const { isValid } = bench.verifyDraw(evidence);
      return { ms: performance.now() - startedAt, isValid };
    }, withLog);
    if (!isValid) throw new Error('The draw cannot be verified');
    return ms;
  };
  const [check, replay] = [await checkWith(false), await checkWith(true)];
  await browser.close();
  server.close();
  return { check, replay };
}
