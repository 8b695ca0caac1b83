// The query builder knows tables and columns by the migrations, text does not: text is for expressions. Where a whole statement is written as text,
// the reason stands here.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './install.mjs';
import { tablesOf } from './tables.mjs';

const book = 'a book of the audit: what people read of a fault is put together in the statement that finds it';
const form = 'put together once for each form of a question, and timed: what the planner gets is written as it gets it';

/** How many there are in a file of the server, and why. */
const written = {
  'audit.ts': [19, book],
  'domains/draws/draws.audit-queries.ts': [1, book],
  'domains/plans/plans.audit.ts': [2, book],
  'domains/referrals/referrals.audit.ts': [2, book],
  'domains/tickets/tickets.audit-queries.ts': [3, book],
  'domains/figures/figures.queries.ts': [1, 'what a row was before it was changed: the builder has no words for “returning old”'],
  'domains/search/alerts/search.alerts.matching.queries.ts': [1, 'lists that are to be read once, each before they meet'],
  'domains/search/suggest/search.suggest.queries.ts': [1, form],
  'domains/search/words/search.words.queries.ts': [1, form],
  'kit/events/live-events.ts': [1, 'numbers what is told within the statement that writes it'],
};

/** What the templates marked `sql` of a source say, those within their expressions too. */
function templatesIn(source) {
  const found = [];
  const endOf = (mark, from) => (source.includes(mark, from) ? source.indexOf(mark, from) : source.length);
  // Reads from a back quote to the one that ends it, and whatever lies in between.
  const readTemplate = (from, isSql) => {
    let text = '';
    for (let at = from; at < source.length; at += 1) {
      if (source[at] === '`') {
        if (isSql) found.push(text);
        return at;
      }
      if (source[at] === '\\') at += 1;
      else if (source.startsWith('${', at)) {
        const end = readCode(at + 2, true);
        text += ' ? ';
        at = end;
      } else text += source[at];
    }
    return source.length;
  };
  const readCode = (from, isWithin) => {
    let depth = 0;
    for (let at = from; at < source.length; at += 1) {
      if (source.startsWith('//', at)) at = endOf('\n', at);
      else if (source.startsWith('/*', at)) at = endOf('*/', at);
      else if (source[at] === "'" || source[at] === '"') {
        const mark = source[at];
        for (at += 1; source[at] !== mark && source[at] !== '\n'; at += 1) if (source[at] === '\\') at += 1;
      } else if (source[at] === '`') at = readTemplate(at + 1, /\bsql(?:<[^`]*>)?$/.test(source.slice(Math.max(0, at - 400), at)));
      else if (source[at] === '{') depth += 1;
      else if (source[at] === '}') {
        if (isWithin && depth === 0) return at;
        depth -= 1;
      }
    }
    return source.length;
  };
  readCode(0, false);
  return found;
}

const tables = [...tablesOf(root)].join('|');
const whole = new RegExp(
  String.raw`^\s*(?:\? )?\s*(?=(?:with|select|insert|update|delete)\b).*\b(?:from|join|into|update)\s+(?:${tables})\b`,
  'is',
);
/** A part of a statement that stands in brackets is a value or a list. */
const wholeIn = (source) => templatesIn(source).filter((text) => whole.test(text)).length;

test('statements are made by the query builder, but for those that have a reason', () => {
  const folder = join(root, 'server/src');
  const found = globSync('**/*.ts', { cwd: folder, exclude: ['**/*.test.ts'] })
    .map((file) => [file, wholeIn(readFileSync(join(folder, file), 'utf8'))])
    .filter(([, statements]) => statements > 0);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(Object.entries(written).map(([file, [statements]]) => [file, statements])));
});

test.each([
  ['a statement', 'sql`select id from users`.execute(db)', 1],
  ['one with a type and values', 'sql<{ id: string }>`\n  update users set name = ${name} where id = ${id}`', 1],
  ['one behind a mark', 'sql`${prepared}\n  insert into users (id) values (${id})`', 1],
  ['one within another', 'sql<Row>`with a as (select 1) ${isOld ? sql`delete from users` : sql``} select * from users`', 2],
  ['an expression', 'sql<Date>`now() - make_interval(secs => ${seconds})`', 0],
  ['a value that is looked up', 'sql<number>`(select count(*) from users)`', 0],
  ['a call', 'sql`select pg_advisory_xact_lock(1)`', 0],
  ['other text', 'const a = `select id from users`; // sql`select id from users`', 0],
])('%s is counted as one that is written whole, or not', (_, source, count) => {
  expect(wholeIn(source)).toBe(count);
});
