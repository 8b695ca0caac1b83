import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { printTable } from './load.ts';
import { type Stage, stopChild } from './stage.ts';

/** So many rows and entries of indexes one statement may read for one answer, whatever is asked. */
const mostRows = 400_000;
/** A table with fewer rows may be read as a whole. */
const small = 1_000;

const search = (query: Record<string, string>) => `/api/search?${new URLSearchParams(query).toString()}`;
const all = (query: Record<string, string>) => `/api/listing/all?${new URLSearchParams({ limit: '12', ...query }).toString()}`;

/** What is asked, by its shape: each of these is sent twice, because named statements get their plan for good only then. */
function shapesOf(listing: string, lastPage: string): Record<string, string[]> {
  const auckland = { near: '-36.85,174.76', km: '25' };
  return {
    'all listings': [all({}), search({})],
    'a category': [all({ category: 'Plumbing' }), search({ category: 'plumbing' })],
    'a category in a region': [all({ category: 'Plumbing', region: 'Auckland' }), search({ category: 'plumbing', region: 'auckland' })],
    'a region': [all({ region: 'Waikato' }), search({ region: 'waikato' })],
    'a country': [search({ country: 'NZ' }), search({ country: 'AU' })],
    'page 50': [all({ page: '50' }), search({ page: '50' })],
    'the last page': [all({ page: lastPage })],
    'one letter': [all({ title: 'a' }), search({ q: 'a', raw: '1' }), search({ q: 'e' })],
    'a part of words': [all({ title: 'ing' }), search({ q: 'ing', raw: '1' })],
    'a common word': [all({ title: 'repairs' }), search({ q: 'quotes', raw: '1' })],
    'a common word on page 50': [all({ title: 'local', page: '50' }), search({ q: 'local', raw: '1', country: 'AU', page: '50' })],
    'two words': [all({ title: 'free quotes' }), search({ q: 'house painting', raw: '1' })],
    'nothing found': [all({ title: 'zzyzxq' }), search({ q: 'zzyzxq' })],
    'a trade in a place': [search({ q: 'plumber hamilton' }), search({ q: 'sparky', where: 'brisbane' })],
    'a sentence': [search({ q: 'my hot water cylinder is leaking in the ceiling' })],
    'a word, filtered': [search({ q: 'local', raw: '1', minRating: '4.5' }), search({ q: 'a', raw: '1', verified: '1', photos: '1' })],
    'by rating or newest': [
      search({ sort: 'rating' }),
      search({ sort: 'newest', category: 'roofing' }),
      search({ q: 'a', raw: '1', sort: 'rating' }),
    ],
    'near a place': [
      search(auckland),
      search({ ...auckland, category: 'plumbing', verified: '1' }),
      search({ ...auckland, q: 'local', raw: '1' }),
    ],
    'the nearest first': [search({ ...auckland, sort: 'nearest' }), search({ where: 'Gore', category: 'plumbing', sort: 'nearest' })],
    suggestions: ['q=p', 'q=pl', 'q=smith', 'q=house%20pain', 'where=ham'].map((query) => `/api/search/suggest?${query}`),
    'a listing': [`/api/listing/${listing}`, `/listing/${listing}`, `/api/listing/${listing}/reviews?limit=10`],
    'pages of the directory': ['/services', '/services/plumbing', '/services/plumbing/waikato', '/services/plumbing/waikato/hamilton'],
  };
}

/**
 * Explains every statement that a server sends for each shape of question, with the parameters that it sent, on the real rows. Fails where
 * one reads a table from end to end, or more rows than `mostRows`.
 */
export async function benchExplain(stage: Stage): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'handwise-statements-'));
  const file = join(folder, 'statements');
  writeFileSync(file, '');
  const { address, child } = await stage.startProduct({
    STATEMENTS_FILE: file,
    NODE_OPTIONS: `--import ${join(import.meta.dirname, 'statement-recorder.ts')}`,
  });
  try {
    const { rows } = await stage.client.query<{ id: string; pages: string }>(
      `select (select id from listings where status = 'active' order by sort_key desc limit 1) as id,
         (select least(50, ceil(count(*) / 12.0))::text from listings where status = 'active') as pages`,
    );
    const large = await largeTables(stage.client);
    const table: (string | number)[][] = [];
    const faults = new Set<string>();
    for (const [shape, paths] of Object.entries(shapesOf(rows[0]?.id ?? '', rows[0]?.pages ?? '1'))) {
      let statements = 0;
      let most = 0;
      for (const path of [...paths, ...paths]) {
        await stage.forget();
        const before = readFileSync(file, 'utf8').length;
        const answer = await fetch(address + path);
        await answer.arrayBuffer();
        if (!answer.ok && answer.status !== 404) throw new Error(`${path} was answered with ${answer.status}`);
        for (const statement of recordedAfter(file, before)) {
          const { rowsRead, wholeTables } = await explain(stage.client, statement, large);
          statements += 1;
          most = Math.max(most, rowsRead);
          const text = statement.text.replace(/\s+/g, ' ').slice(0, 160);
          for (const name of wholeTables) faults.add(`${shape}: reads all of ${name}: ${text}`);
          if (rowsRead > mostRows) faults.add(`${shape}: reads ${rowsRead} rows: ${text}`);
        }
      }
      table.push([shape, String(paths.length), String(statements), String(most)]);
    }
    printTable(
      `Statements of each shape at ${stage.listings} listings, explained: ${faults.size === 0 ? 'holds' : 'does not hold'}`,
      ['asked for', 'questions', 'statements', 'most rows read by one'],
      table,
    );
    for (const fault of faults) console.log(`  ${fault}`);
    if (faults.size > 0) process.exitCode = 1;
  } finally {
    await stopChild(child);
    rmSync(folder, { recursive: true, force: true });
  }
}

type Statement = { text: string; values: unknown[] };

/** What the server asked of its tables since; what it does by itself all the time is not the question's. */
function recordedAfter(file: string, offset: number): Statement[] {
  const lines = readFileSync(file, 'utf8').slice(offset).split('\n').filter(Boolean);
  const statements = lines.map((line) => JSON.parse(line) as Statement);
  return statements.filter(({ text }) => /^\s*(select|with)\b/i.test(text) && !/pgboss|pg_catalog|pg_stat|\bchanges\b/.test(text));
}

async function largeTables(client: pg.Client): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(
    "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and reltuples > $1",
    [small],
  );
  return new Set(rows.map(({ name }) => name));
}

type Plan = {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Plan[];
};

/** How many rows of tables and entries of indexes a statement reads, and which large tables from end to end. */
async function explain(client: pg.Client, { text, values }: Statement, large: Set<string>) {
  await client.query('begin');
  try {
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(`explain (analyze, timing off, format json) ${text}`, values);
    const wholeTables: string[] = [];
    const read = (plan: Plan): number => {
      const type = plan['Node Type'];
      const name = plan['Relation Name'] ?? '';
      if (type === 'Seq Scan' && large.has(name)) wholeTables.push(name);
      const isCounted = /^(Seq|Index|Index Only|Bitmap Heap|Bitmap Index|Tid) Scan$/.test(type);
      const removed = (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0);
      const own = isCounted ? (plan['Actual Rows'] + removed) * plan['Actual Loops'] : 0;
      return own + (plan.Plans ?? []).reduce((sum, one) => sum + read(one), 0);
    };
    return { rowsRead: Math.round(rows[0] ? read(rows[0]['QUERY PLAN'][0].Plan) : 0), wholeTables };
  } finally {
    await client.query('rollback');
  }
}
