import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { routesIn } from './routes-manifest.ts';
import type { Script } from './script-list.ts';

type Budget = {
  page: string;
  /** Its id in routes.ts. */
  route: string;
  /** So many bytes of script may be sent until the page is complete, compressed as they are sent. */
  most: number;
  /** What it loads by itself beside what it is built from. */
  loads?: readonly string[];
};

// What the header of members has.
const header = [
  'domains/search/header-search.tsx',
  'domains/messages/messages-link.tsx',
  'domains/referrals/notifications/referral-badge.tsx',
  // For visitors it comes with their first sign: `lib/late-part.tsx`.
  'domains/site/site-footer.tsx',
];

/**
 * What the script of a page may weigh: a little more than it does. React, its DOM and its router are 84 kB of each. Whoever needs more
 * looks first at what has come along: `node tools/script-budget.mjs listing` names the files of that page as it is built.
 */
export const budgets: readonly Budget[] = [
  { page: 'front page', route: 'pages/site/landing', most: 110_000 },
  { page: 'directory', route: 'pages/search/services-category', most: 116_000 },
  { page: 'listing', route: 'pages/listings/listing', most: 116_000 },
  { page: 'search', route: 'pages/search/search', most: 120_000 },
  { page: 'draw', route: 'pages/draws/draw', most: 121_000 },
  { page: 'inbox', route: 'pages/messages/no-conversation', most: 136_000, loads: header },
  { page: 'dashboard', route: 'pages/referrals/referral', most: 176_000, loads: header },
  { page: 'own listings', route: 'pages/selling/my-listings', most: 174_000, loads: header },
  { page: 'administration', route: 'pages/admin/admin-overview', most: 175_000, loads: header },
  { page: 'wizard', route: 'pages/selling/add-list', most: 210_000, loads: header },
];

/** The files of script that the built page needs, with what each weighs as it is sent. */
export function scriptOf({ route, loads = [] }: Budget, build: string): Map<string, number> {
  const client = join(build, 'client');
  const scripts = JSON.parse(readFileSync(join(build, 'scripts.json'), 'utf8')) as Record<string, Script>;
  const list = readdirSync(join(client, 'assets')).find((name) => /^manifest-\w+\.js$/.test(name)) ?? '';
  const { entry, routes } = routesIn(readFileSync(join(client, 'assets', list), 'utf8'));
  const files = new Set([`assets/${list}`, entry.module.slice(1)]);
  for (let id: string | undefined = route; id; id = routes[id]?.parentId) {
    const one = routes[id];
    if (!one) throw new Error(`No route is called ${id}: see web/app/routes.ts`);
    for (const address of [one.module, one.clientLoaderModule, one.clientActionModule]) if (address) files.add(address.slice(1));
  }
  for (const source of loads) {
    const found = Object.entries(scripts).find(([, script]) => script.source === source);
    if (!found) throw new Error(`Nothing loads ${source} by itself: see web/script-budget.ts`);
    files.add(found[0]);
  }
  // A set goes on with what is added on the way.
  for (const file of files) for (const needed of scripts[file]?.imports ?? []) files.add(needed);
  const sent = (file: string) => [`${file}.br`, file].map((name) => join(client, name)).find((path) => existsSync(path)) ?? file;
  return new Map([...files].map((file) => [file, statSync(sent(file)).size]));
}
