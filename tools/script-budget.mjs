// Prints the script size of each built page, and fails if one is over its budget. With the name of a page, prints its files.
import { join } from 'node:path';
import { budgets, scriptOf } from '../web/script-budget.ts';
import { root } from './install.mjs';

const wantedPages = process.argv.slice(2).join(' ');
const kB = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;
for (const budget of budgets.filter(({ page }) => !wantedPages || page === wantedPages)) {
  const script = scriptOf(budget, join(root, 'web/build'));
  const weight = [...script.values()].reduce((sum, bytes) => sum + bytes, 0);
  console.log(`${weight > budget.most ? 'over' : 'ok  '}  ${budget.page}: ${kB(weight)} of ${kB(budget.most)}`);
  if (wantedPages)
    for (const [file, bytes] of [...script].toSorted(([, one], [, other]) => other - one)) console.log(`      ${file} ${bytes}`);
  if (weight > budget.most) process.exitCode = 1;
}
