// What the tree promises about its tables: each has one owner, and only who is named in domains.mjs has statements about another's.
// Read are the names that stand in the calls of the query builder and in SQL; what triggers and functions of the database touch is not seen here.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { domains, readers, tables as owners, upwards, writers } from '../domains.mjs';
import { root } from './install.mjs';

const byName = (one, other) => (one < other ? -1 : 1);
const filesBelow = (folder, isWanted) =>
  readdirSync(folder, { recursive: true })
    .filter((path) => isWanted(path))
    .toSorted(byName);

/** The tables that the migrations leave. */
export function tablesOf(tree) {
  const tables = new Set();
  const folder = join(tree, 'server/migrations');
  for (const name of filesBelow(folder, (path) => path.endsWith('.sql'))) {
    const sql = readFileSync(join(folder, name), 'utf8').replace(/--.*$/gm, '');
    for (const [, what, names] of sql.matchAll(/\b(create (?:unlogged )?|drop )table (?:if (?:not )?exists )?(\w+(?:, *\w+)*)/gi)) {
      for (const table of names.split(/, */)) {
        if (what.toLowerCase() === 'drop ') tables.delete(table);
        else tables.add(table);
      }
    }
  }
  return tables;
}

const builderCall =
  /\b(selectFrom|insertInto|updateTable|deleteFrom|mergeInto|using|from|(?:inner|left|right|full|cross)Join(?:Lateral)?)\(\s*/g;
const inSql =
  /\b(insert\s+into|update|delete\s+from|merge\s+into|from|join|using)\s+(?:only\s+)?(\w+(?:\s+(?:as\s+)?\w+)?(?:\s*,\s*\w+(?:\s+(?:as\s+)?\w+)?)*)/gi;
const writes = /^(insert|update|delete|merge)/i;
const firstWord = /\w+/;

/** Which words of a source stand where a statement names a table, and whether it writes. Words that are no tables are among them. */
function namedIn(source) {
  const text = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
  const found = [];
  const add = (name, call) => found.push({ name, isWrite: writes.test(call) });
  for (const { 0: call, 1: verb, index } of text.matchAll(builderCall)) {
    const rest = text.slice(index + call.length);
    const [given] = /^(?:'[^']*'|"[^"]*"|`[^`]*`|\[[^\]]*\])/.exec(rest) ?? [];
    // A table that is named by a variable: each text of the file may be it. `Array.from` and its like take variables too.
    const texts = given ?? (/^\w+\s*\)/.test(rest) && !/^(?:from|using)$/.test(verb) ? text : '');
    for (const [, name] of texts.matchAll(/['"`](\w+)[^'"`\n]*['"`]/g)) add(name, verb);
  }
  for (const [, verb, names] of text.matchAll(inSql)) {
    for (const name of names.split(',')) add(firstWord.exec(name)[0], verb);
  }
  return found;
}

const homeOf = (path) => /^domains\/([^/]+)\//.exec(path)?.[1] ?? (path.startsWith('kit/') ? 'kit' : 'app');

/** Each use of a table in the server: by whom, in which file. */
function usesIn(tree, tables) {
  const folder = join(tree, 'server/src');
  return filesBelow(folder, (path) => path.endsWith('.ts') && !/\.(test|generated)\.ts$/.test(path)).flatMap((path) =>
    namedIn(readFileSync(join(folder, path), 'utf8'))
      .filter(({ name }) => tables.has(name))
      .map(({ name, isWrite }) => ({ table: name, by: homeOf(path), file: `server/src/${path}`, isWrite })),
  );
}

const possessive = (name) => `${name}${name.endsWith('s') ? '’' : '’s'}`;
const entriesOf = (list) =>
  Object.entries(list).flatMap(([table, others]) => Object.entries(others).map(([by, why]) => ({ table, by, why })));
const has = (list, { table, by }) => list[table]?.[by] !== undefined;

function ownerFaults(tables, owned, places) {
  const names = owned.flatMap(([, own]) => own);
  return [
    ...owned.filter(([owner]) => !places.includes(owner)).map(([owner]) => `domains.mjs: ${owner} owns tables and is no domain`),
    ...[...tables].filter((table) => !names.includes(table)).map((table) => `the table ${table} has no owner in domains.mjs`),
    ...names.filter((table) => !tables.has(table)).map((table) => `domains.mjs: no migration leaves a table ${table}`),
    ...names.filter((table, place) => names.indexOf(table) !== place).map((table) => `domains.mjs: ${table} has two owners`),
  ];
}

/** What breaks the promise in a tree, a line each. */
export function tableFaults(tree, lists = { domains, tables: owners, readers, writers, upwards }) {
  const tables = tablesOf(tree);
  const owned = Object.entries(lists.tables);
  const places = ['kit', ...Object.keys(lists.domains), 'app'];
  const ownerOf = (table) => owned.find(([, own]) => own.includes(table))?.[0];
  const mayUse = (by, owner) => by === 'app' || (owner === 'kit' && by !== 'kit') || (lists.domains[by]?.includes(owner) ?? false);
  const uses = usesIn(tree, tables).filter(({ table, by }) => ownerOf(table) !== undefined && ownerOf(table) !== by);
  const isPermitted = (use) => has(lists.writers, use) || (!use.isWrite && (has(lists.readers, use) || has(lists.upwards, use)));
  const refused = uses.filter((use) => !isPermitted(use));
  const below = [lists.readers, lists.writers].flatMap(entriesOf);
  return [
    ...ownerFaults(tables, owned, places),
    ...new Set(
      refused.map(
        ({ table, by, file, isWrite }) => `${file}: ${by} ${isWrite ? 'writes' : 'reads'} ${table}, which is ${possessive(ownerOf(table))}`,
      ),
    ),
    ...below
      .filter(({ table, by }) => !mayUse(by, ownerOf(table)))
      .map(({ table, by }) => `domains.mjs: ${by} may not use ${ownerOf(table)} and so not ${table}`),
    ...[...below, ...entriesOf(lists.upwards)]
      .filter(({ table, by }) => !uses.some((use) => use.table === table && use.by === by))
      .map(({ table, by }) => `domains.mjs: ${by} has no statement about ${table}`),
    ...entriesOf(lists.writers)
      .filter(({ table, by }) => !uses.some((use) => use.table === table && use.by === by && use.isWrite))
      .map(({ table, by }) => `domains.mjs: ${by} does not write ${table}`),
  ];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const faults = tableFaults(root);
  for (const line of faults) console.log(line);
  if (faults.length > 0) process.exitCode = 1;
}
