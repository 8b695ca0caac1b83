// The server's rules stand in files of some length: each of those has a fault planted in it, but for what is listed here.
import { readFileSync, readdirSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { data } from '../rooms.mjs';

const longest = 60;
const folders = ['contract/src', 'server/src/domains', 'server/src/kit'];

/** What had none when this was first looked at. Nothing is added: a new file comes with its faults, and what gets one is taken out. */
export const unplanted = [
  'contract/src/admin-payments.ts',
  'contract/src/admin-reports.ts',
  'contract/src/admin-search.ts',
  'contract/src/admin.ts',
  'contract/src/categories.ts',
  'contract/src/draws-admin.ts',
  'contract/src/draws.ts',
  'contract/src/listings.ts',
  'contract/src/messages-quotes.ts',
  'contract/src/messages.ts',
  'contract/src/passkeys.ts',
  'contract/src/paths.ts',
  'contract/src/payments.ts',
  'contract/src/plans.ts',
  'contract/src/referrals-admin.ts',
  'contract/src/refunds.ts',
  'contract/src/reports.ts',
  'contract/src/reviews.ts',
  'contract/src/saved.ts',
  'contract/src/search-places.ts',
  'contract/src/selling.ts',
  'contract/src/service-area.ts',
  'contract/src/sign-in.ts',
  'contract/src/site.ts',
  'server/src/domains/accounts/accounts.desk.ts',
  'server/src/domains/accounts/accounts.routes.ts',
  'server/src/domains/admin/admin.decision-queries.ts',
  'server/src/domains/admin/admin.mails.ts',
  'server/src/domains/admin/admin.routes.ts',
  'server/src/domains/draws/draws.mails.ts',
  'server/src/domains/draws/draws.pack.ts',
  'server/src/domains/draws/draws.routes.ts',
  'server/src/domains/messages/messages.routes.ts',
  'server/src/domains/payments/disputes/payments.disputes.mails.ts',
  'server/src/domains/payments/found/payments.found.mails.ts',
  'server/src/domains/places/places.cities.ts',
  'server/src/domains/referrals/referrals.admin.ts',
  'server/src/domains/search/postings/bits.ts',
  'server/src/domains/search/postings/kernels/assemble.ts',
  'server/src/domains/search/understanding/searches.table.ts',
  'server/src/domains/selling/selling.routes.ts',
  'server/src/domains/sign-in/sign-in.routes.ts',
  'server/src/domains/tickets/tickets.log-queries.ts',
  'server/src/kit/pages/right-back-page.ts',
];

const isLooked = (path) =>
  path.endsWith('.ts') && !/\.(test|generated)\.ts$/.test(path) && !data.some(([pattern]) => matchesGlob(path, pattern));

/** What breaks the promise in a tree, a line each. */
export function plantingFaults(tree, faults, exceptions = unplanted) {
  const planted = new Set(faults.map(({ file }) => file));
  const files = folders.flatMap((folder) =>
    readdirSync(join(tree, folder), { recursive: true }).flatMap((path) => (isLooked(join(folder, path)) ? [join(folder, path)] : [])),
  );
  const linesOf = (path) => readFileSync(join(tree, path), 'utf8').split('\n').length - 1;
  const bare = files.filter((path) => !planted.has(path));
  return [
    ...bare
      .filter((path) => !exceptions.includes(path) && linesOf(path) > longest)
      .map((path) => `${path} has ${linesOf(path)} lines and no fault is planted in it`),
    ...exceptions
      .filter((path) => !bare.includes(path))
      .map((path) => `tools/mutants/unplanted.mjs: ${path} is gone or has a fault by now: take it out`),
  ].toSorted();
}
