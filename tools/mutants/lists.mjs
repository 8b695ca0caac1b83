// A fault is `{ id, file, find, replace, tests }`: where `find` stands, once in the file, `replace` is planted, and one of the
// test files should go red. `unseen` says why none does, where that is so. The name of the list is the area.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * The faults of the lists in a folder, with their area: all, or those that are asked for by area or id. Throws an Error that
 * names each of them that no longer fits the tree.
 */
export function readFaults(folder, root, only) {
  const faults = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .flatMap((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')).map((fault) => ({ area: name.slice(0, -5), ...fault })))
    .filter(({ area, id }) => !only || only.includes(area) || only.includes(id));
  const seen = new Set();
  const problems = faults.flatMap((fault) => {
    const problem = seen.has(fault.id) ? 'another entry has this id' : problemOf(fault, root);
    seen.add(fault.id);
    return problem ? [`${fault.area}/${fault.id}: ${problem}`] : [];
  });
  if (problems.length > 0) throw new Error(`Entries that do not fit the tree any more:\n${problems.join('\n')}`);
  return faults;
}

function problemOf({ id, file, find, replace, tests }, root) {
  if (![id, file, find].every((text) => typeof text === 'string' && text) || typeof replace !== 'string' || !tests?.length) {
    return 'id, file, find, replace and tests are needed';
  }
  if (find === replace) return 'nothing is changed';
  const missing = [file, ...tests].find((path) => !existsSync(join(root, path)));
  if (missing) return `there is no ${missing}`;
  const text = readFileSync(join(root, file), 'utf8');
  const found = text.split(find).length - 1;
  if (found !== 1) return `stale: what is to be replaced stands ${found} times in ${file}`;
  const later = file.endsWith('.sql') && laterMigrationOf(functionAt(text, text.indexOf(find)), join(root, file));
  return later ? `stale: the function stands anew in ${later}` : undefined;
}

const functionsOf = (sql) => [...sql.matchAll(/create (?:or replace )?function (\w+)\s*\((?:(?!create )[^])*?\$\$[^]*?\$\$/g)];
const functionAt = (sql, at) => functionsOf(sql).find(({ index, 0: whole }) => index <= at && at < index + whole.length)?.[1];

/** The last of the later migrations that makes a function anew, where one does. */
const laterMigrationOf = (name, path) =>
  readdirSync(dirname(path))
    .filter((file) => name && file.endsWith('.sql') && file > basename(path))
    .toSorted()
    .findLast((file) => functionsOf(readFileSync(join(dirname(path), file), 'utf8')).some((one) => one[1] === name));
