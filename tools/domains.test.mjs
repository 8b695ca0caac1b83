import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { domains, tables } from '../domains.mjs';
import { root } from './install.mjs';

/** The tables after all migrations. */
function migratedTables() {
  const folder = join(root, 'server/migrations');
  const names = new Set();
  for (const file of readdirSync(folder).toSorted()) {
    const sql = readFileSync(join(folder, file), 'utf8').replace(/--.*$/gm, '');
    for (const [, verb, list] of sql.matchAll(/\b(create(?: unlogged)?|drop) table (?:if (?:not )?exists )?(\w+(?:, *\w+)*)/gi)) {
      for (const name of list.split(/, */)) {
        if (verb.toLowerCase() === 'drop') names.delete(name);
        else names.add(name);
      }
    }
    for (const [, from, to] of sql.matchAll(/\balter table (\w+) rename to (\w+)/gi)) {
      names.delete(from);
      names.add(to);
    }
  }
  return [...names];
}

test('gives every table exactly one owner, which is a domain', () => {
  const byName = (one, other) => (one < other ? -1 : 1);
  expect(Object.values(tables).flat().toSorted(byName)).toEqual(migratedTables().toSorted(byName));
  expect(Object.keys(tables).filter((owner) => owner !== 'kit' && !(owner in domains))).toEqual([]);
});
