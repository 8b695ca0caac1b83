// What a migration would stop while the version before still runs: read from its text, before it runs anywhere.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './install.mjs';

/** Ran before there was this check, or is only ever run on empty tables. Nothing is added here: a comment in the file says what is allowed and why. */
const before = '049';
const outside = '-- outside a transaction';
const allowed = /^--\s*allowed:\s*\S/m;

/** Comments, strings and bodies of functions, as spaces. */
const masked = (sql) =>
  sql.replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$/g, (text) => text.replaceAll(/[^\n]/g, ' '));

/** The statements, each with the comments that stand before it. */
function statementsOf(sql) {
  const plain = masked(sql);
  const statements = [];
  let from = 0;
  for (let at = plain.indexOf(';'); at >= 0; at = plain.indexOf(';', from)) {
    statements.push({ comments: sql.slice(from, at), text: plain.slice(from, at).replaceAll(/\s+/g, ' ').trim().toLowerCase() });
    from = at + 1;
  }
  return statements;
}

/** The actions of an `alter table`, at the commas outside of brackets. */
function actionsOf(text) {
  const actions = [''];
  let depth = 0;
  for (const letter of text) {
    depth += letter === '(' ? 1 : letter === ')' ? -1 : 0;
    if (letter === ',' && depth === 0) actions.push('');
    else actions[actions.length - 1] += letter;
  }
  return actions.map((action) => action.trim());
}

const volatile = /default\s+(gen_random_uuid|random|clock_timestamp|nextval|uuidv\d|timeofday)\b|\b(small|big)?serial\b/;
const ofAction = [
  [/^add column .*\bstored\b/, 'writes every row anew'],
  [
    /^add column .*\b(references|unique|primary key|check)\b/,
    'checks every row under its lock: add the constraint `not valid` and validate it',
  ],
  [/^add column (?!.*\bdefault\b).*\bnot null\b/, 'fails on rows that are there: give it a default'],
  [
    /^add (constraint \w+ )?(primary key|unique|exclude)\b(?!.*\busing index\b)/,
    'builds an index under its lock: make it concurrently, then `using index`',
  ],
  [
    /^add (constraint \w+ )?(check|foreign key)\b(?!.*\bnot valid\b)/,
    'checks every row under its lock: add it `not valid`, then validate it',
  ],
  [/^alter (column )?\w+ (set data )?type\b/, 'writes every row anew'],
  [/^alter (column )?\w+ set not null\b/, 'reads every row under its lock: validate a check first'],
  [/^(drop column|drop (?!constraint|identity|expression|not)\w+|rename)\b/, 'takes from the version before what it still uses'],
  [/^set (un)?logged\b|^set (tablespace|access method)\b/, 'writes every row anew'],
];
const ofStatement = [
  [/^(vacuum full|cluster|lock)\b/, 'keeps everybody out'],
  [/^refresh materialized view (?!concurrently)/, 'keeps everybody out'],
  [/^(truncate|drop table|drop view|drop materialized view)\b/, 'takes from the version before what it still uses'],
  [/^drop index (?!concurrently)/, 'waits for everybody and keeps them out: `drop index concurrently`'],
  [/^reindex\b(?!.*\bconcurrently\b)/, 'stops writing: `reindex concurrently`'],
  [/^do\b/, 'does what this check cannot read'],
];

function faultsOf(text, made) {
  const index = /^create (?:unique )?index (concurrently )?.*?\bon (?:only )?(\w+)/.exec(text);
  if (index) return index[1] || made.has(index[2]) ? [] : [`an index on ${index[2]} stops writing to it: make it concurrently`];
  const alter = /^alter table (?:if exists )?(?:only )?(\w+) (.*)$/.exec(text);
  if (alter) {
    if (made.has(alter[1])) return [];
    return actionsOf(alter[2]).flatMap((action) => {
      const found = ofAction.filter(([pattern]) => pattern.test(action)).map(([, why]) => why);
      if (volatile.test(action) && action.startsWith('add')) found.push('writes every row anew: the default differs for each');
      return found.map((why) => `“${action.slice(0, 60)}” of ${alter[1]} ${why}`);
    });
  }
  const rows = /^(?:update (?:only )?|delete from (?:only )?)(\w+)/.exec(text);
  if (rows && !made.has(rows[1])) return [`changing many rows of ${rows[1]} at once locks all of them: leave it to a job, in parts`];
  return ofStatement.filter(([pattern]) => pattern.test(text)).map(([, why]) => `“${text.slice(0, 60)}” ${why}`);
}

/** What a migration stops, a line each. A statement after a comment `-- allowed: why` may. */
export function lockFaults(sql) {
  const statements = statementsOf(sql);
  const made = new Set();
  const dropped = new Set();
  const faults = [];
  const isOutside = sql.startsWith(outside);
  for (const { comments, text } of statements) {
    const table = /^create (?:unlogged )?table (?:if not exists )?(\w+)/.exec(text);
    if (table) made.add(table[1]);
    const gone = /^drop index concurrently if exists (\w+)/.exec(text);
    if (gone) dropped.add(gone[1]);
    if (/\bconcurrently\b/.test(text) && !isOutside) faults.push(`“concurrently” needs a file that begins with “${outside}”`);
    const anew = /^create (?:unique )?index concurrently (\w+)/.exec(text);
    if (anew && !dropped.has(anew[1]))
      faults.push(`${anew[1]} may be left half made: begin with “drop index concurrently if exists ${anew[1]}”`);
    if (!allowed.test(comments)) faults.push(...faultsOf(text, made));
  }
  return faults;
}

// As a command: every migration since there is this check; with --all those before it, too, which have run everywhere.
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const all = process.argv.includes('--all');
  const dir = join(root, 'server/migrations');
  const found = readdirSync(dir)
    .filter((name) => name.endsWith('.sql') && (all || name >= before))
    .toSorted()
    .flatMap((name) => lockFaults(readFileSync(join(dir, name), 'utf8')).map((fault) => `${name}: ${fault}`));
  for (const line of found) console.log(line);
  if (found.length > 0 && !all) process.exitCode = 1;
}
