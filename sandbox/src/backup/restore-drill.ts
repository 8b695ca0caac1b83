import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { toBase64 } from '@handwise/proof/bytes';
import { findHeads } from '@handwise/proof/mail';
import { usePostgres } from '../postgres.ts';
import { type Done, startLoad } from './drill-load.ts';
import { drillSite } from './drill-site.ts';
import { restoreByBackRest } from './pgbackrest-drill.ts';

// `npm run restore:drill [-- --seconds 40 --people 4]`: backs up under load, destroys the data, restores everything and
// compares it with what was acknowledged; before it, the same for a PostgreSQL with pgBackRest, where that is installed. Exits with 0 if all of it is there.
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '40' },
    people: { type: 'string', default: '4' },
  },
});
const root = mkdtempSync(join(tmpdir(), 'handwise-drill-'));
const folder = join(root, 'backup');
const keys = join(root, 'keys');
const metrics: [string, string][] = [];
const wrong: string[] = [];
const log = (line: string) => console.log(line);
const note = (name: string, value: string | number) => {
  metrics.push([name, String(value)]);
  log(`  ${name}: ${value}`);
};
const check = (name: string, isTrue: boolean, otherwise = '') => {
  note(name, isTrue ? 'holds' : `DOES NOT HOLD ${otherwise}`);
  if (!isTrue) wrong.push(name);
};
const seconds = (from: number, to = Date.now()) => `${((to - from) / 1000).toFixed(1)} s`;

if (!(await restoreByBackRest(log))) wrong.push('restore by pgBackRest');
const site = await drillSite(root);
try {
  log('A site of its own starts, with demo data …');
  await site.start();
  const load = startLoad(site, Number(values.people));
  const destroyedAt = await backUpAndDestroy(load);
  const { lastChangeAt, startedAt } = await restore();
  note('lost seconds (from the last change that is there to the destruction)', seconds(lastChangeAt, destroyedAt));
  await checkRestored(load.done, lastChangeAt, startedAt);
} finally {
  await site.stop();
  rmSync(root, { recursive: true, force: true });
}
log('');
log(wrong.length === 0 ? 'The restore holds.' : `The restore does not hold: ${wrong.join(', ')}.`);
process.exitCode = wrong.length === 0 ? 0 : 1;

async function backUpAndDestroy(load: ReturnType<typeof startLoad>): Promise<number> {
  const watched = <T>(work: Promise<T>) => Promise.race([work, load.failed.then(() => Promise.reject(new Error('the load ended')))]);
  await watched(pause(5_000));
  const startedAt = Date.now();
  const backup = await watched(site.run('commands/backup.ts', folder, '--keys', keys));
  if (backup.code !== 0) throw new Error(backup.output);
  note('backup under load', `${seconds(startedAt)}, ${backup.output.split('\n')[0]?.replace(/^.*?: /, '')}`);
  await watched(pause(Number(values.seconds) * 1_000));
  load.expectFailures();
  const destroyedAt = Date.now();
  await site.kill();
  await load.end();
  // Everything except the provider, the mailboxes and the backup.
  for (const name of readdirSync(site.dataDir)) {
    if (!name.startsWith('stripe.sqlite') && name !== 'mailbox') rmSync(join(site.dataDir, name), { recursive: true, force: true });
  }
  const kinds = ['registered', 'paid', 'published', 'said'] as const;
  note('done under load', kinds.map((kind) => `${load.done.filter((one) => one.kind === kind).length} ${kind}`).join(', '));
  return destroyedAt;
}

async function restore(): Promise<{ lastChangeAt: number; startedAt: number }> {
  const commandAt = Date.now();
  const restored = await site.run('commands/restore.ts', folder, '--yes');
  if (restored.code !== 0) throw new Error(restored.output);
  const [, at = ''] = /The last change that is there: (\S+)\./.exec(restored.output) ?? [];
  note('restore', seconds(commandAt));
  for (const name of readdirSync(keys).filter((one) => one !== 'README')) copyFileSync(join(keys, name), join(site.dataDir, name));
  const startedAt = Date.now();
  await site.start();
  note('recovery (from the command to a site that answers)', seconds(commandAt));
  return { lastChangeAt: Date.parse(at), startedAt };
}

async function checkRestored(done: readonly Done[], lastChangeAt: number, startedAt: number): Promise<void> {
  const found = await untilMoneyIsFound(startedAt);
  const audit = await site.run('sandbox/src/own-database.ts', 'commands/audit.ts');
  check('npm run audit', audit.code === 0, audit.output);
  check('npm run audit -- --provider', found.code === 0, found.output);
  const database = new pg.Client({ connectionString: (await usePostgres(site.dataDir)).url });
  await database.connect();
  try {
    await checkRows(database, done, lastChangeAt);
    await checkFiles(database);
    await checkHeads(database);
  } finally {
    await database.end();
  }
  await checkDraw();
}

/** Waits until the site has reconciled with the provider, as each start does. */
async function untilMoneyIsFound(startedAt: number) {
  for (const until = Date.now() + 180_000; ; await pause(500)) {
    const report = await site.run('sandbox/src/own-database.ts', 'commands/audit.ts', '--provider');
    if (report.code !== 0 && Date.now() < until) continue;
    note('all money found again (from the start)', seconds(startedAt));
    return report;
  }
}

async function checkRows(database: pg.Client, done: readonly Done[], lastChangeAt: number): Promise<void> {
  const tables = { registered: 'users', published: 'listings', said: 'conversations' } as const;
  for (const [kind, table] of Object.entries(tables)) {
    const all = done.filter((one) => one.kind === kind);
    const { rows } = await database.query<{ id: string }>(`select id::text from ${table} where id = any($1)`, [all.map(({ id }) => id)]);
    const there = new Set(rows.map(({ id }) => id));
    const missing = all.filter(({ id }) => !there.has(id));
    note(`${kind} and lost`, `${missing.length} of ${all.length}`);
    // Everything acknowledged before the last restored change was committed before it.
    check(
      `nothing ${kind} before then is lost`,
      missing.every(({ at }) => at > lastChangeAt),
    );
  }
  const paid = done.flatMap((one) => (one.kind === 'paid' ? [one.id] : []));
  const { rows: booked } = await database.query<{ intent_id: string }>(
    `select intent_id from payments where status = 'succeeded' and intent_id = any($1)
     union select intent_id from found_payments where outcome = 'returned' and refund_status = 'succeeded' and intent_id = any($1)`,
    [paid],
  );
  check(`each of ${paid.length} payments is booked or has gone back`, booked.length === paid.length, `${booked.length} are`);
  const { rows: found } = await database.query<{ outcome: string; count: string }>(
    'select outcome, count(*) from found_payments group by outcome order by outcome',
  );
  note('payments found again', found.map(({ outcome, count }) => `${count} ${outcome}`).join(', ') || 'none was lost');
  const { rows: twice } = await database.query(`select from found_payments join payments using (intent_id) where outcome = 'returned'`);
  check('none was rebuilt and sent back', twice.length === 0);
}

async function checkFiles(database: pg.Client): Promise<void> {
  const { rows } = await database.query<{ key: string }>(`select unnest(objects) as key from files where state = 'attached'`);
  const missing = rows.filter(({ key }) => !existsSync(join(site.dataDir, 'files', key)));
  check(`each of ${rows.length} files that the database names is there`, missing.length === 0, `${missing.length} are missing`);
}

/** Checks the ticket log's heads in people's emails against the restored log. */
async function checkHeads(database: pg.Client): Promise<void> {
  const mails = (await (await fetch(`${site.mailbox}/email`)).json()) as { text: string }[];
  const heads = mails.flatMap(({ text }) => findHeads(text));
  const { rows } = await database.query<{ checkpoint: string }>('select checkpoint from ticket_log_heads');
  const stored = new Set(
    rows.flatMap(({ checkpoint }) => findHeads(checkpoint).map(({ origin, size, root: hash }) => `${origin} ${size} ${toBase64(hash)}`)),
  );
  const lost = heads.filter(({ origin, size, root: hash }) => !stored.has(`${origin} ${size} ${toBase64(hash)}`));
  note('heads of the ticket log in mails', `${heads.length}, of which ${lost.length} are of lost leaves`);
}

async function checkDraw(): Promise<void> {
  const draws = (await (await fetch(`${site.address}/api/draws`)).json()) as { draws: { period: string; status: string }[] };
  const last = draws.draws.find((draw) => draw.status === 'completed');
  if (!last) return check('the last draw’s proof', false, 'there is none');
  const proof = join(root, 'proof.json');
  writeFileSync(proof, await (await fetch(`${site.address}/api/draws/${last.period}/proof`)).text());
  const { code, output } = await site.run('proof/src/cli.ts', proof);
  check(`the last draw’s proof (${last.period})`, code === 0, output);
}
