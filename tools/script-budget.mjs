// Prints the script size of each built page, and fails if one is over its budget, or if a file names a site, which its settings do. With the name of a
// page, prints its files.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultSite } from '@handwise/contract/site/default-site';
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

const client = join(root, 'web/build/client');
for (const path of readdirSync(client, { recursive: true, encoding: 'utf8' }).filter((path) => /\.(js|css|json|svg|html)$/.test(path))) {
  const text = readFileSync(join(client, path), 'utf8');
  for (const own of [defaultSite.name, defaultSite.supportEmail, defaultSite.legalAddress].filter((one) => text.includes(one))) {
    console.log(`${path} names ${own}: read it from the settings (contract/src/site/site.ts)`);
    process.exitCode = 1;
  }
}
