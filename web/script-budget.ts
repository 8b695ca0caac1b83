import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

type Budget = {
  page: string;
  /** The route's id in routes.ts. */
  route: string;
  /** The limit of compressed script bytes until the page is complete. */
  most: number;
  /** Lazy parts that it loads without interaction. */
  loads?: readonly string[];
};

// The header and footer of members.
const header = [
  'domains/search/header-search.tsx',
  'domains/messages/messages-link.tsx',
  'domains/referrals/notifications/referral-badge.tsx',
  // Visitors load it at their first interaction: `lib/late-part.tsx`.
  'domains/site/site-footer.tsx',
];

/** React, its DOM and its router are 86 kB of each page. `node tools/script-budget.mjs listing` names the files of that page as it is built. */
export const budgets: readonly Budget[] = [
  { page: 'front page', route: 'pages/site/landing', most: 128_000 },
  { page: 'directory', route: 'pages/search/services-category', most: 128_000 },
  { page: 'costs', route: 'pages/costs/costs-of', most: 128_000 },
  { page: 'listing', route: 'pages/listings/listing', most: 128_000 },
  { page: 'search', route: 'pages/search/search', most: 135_000 },
  { page: 'draw', route: 'pages/draws/draw', most: 135_000 },
  { page: 'inbox', route: 'pages/messages/no-conversation', most: 150_000, loads: header },
  // Pages without a form. The schema library, 24 kB, would put each over its budget.
  { page: 'home', route: 'pages/search/home', most: 165_000, loads: [...header, 'pages/search/browse.tsx'] },
  { page: 'dashboard', route: 'pages/referrals/referral', most: 165_000, loads: header },
  { page: 'own listings', route: 'pages/selling/my-listings', most: 165_000, loads: [...header, 'domains/push/push-offer.tsx'] },
  { page: 'administration', route: 'pages/admin/admin-overview', most: 165_000, loads: header },
  // A seller with an earlier listing starts at the plans. The schemas of its forms load when a form is filled in.
  { page: 'wizard', route: 'pages/selling/add-list', most: 185_000, loads: [...header, 'domains/plans/plan-step.tsx'] },
];

/** The build's `.vite/manifest.json`. */
type ViteManifest = Record<string, { file: string; src?: string; imports?: readonly string[] }>;

type RouterManifest = {
  entry: { module: string };
  routes: Record<string, { parentId?: string; module: string; clientLoaderModule?: string; clientActionModule?: string }>;
};

/** The scripts that a built page needs, with their compressed sizes. */
export function scriptOf({ route, loads = [] }: Budget, build: string): Map<string, number> {
  const client = join(build, 'client');
  const outputs = JSON.parse(readFileSync(join(build, '.vite/manifest.json'), 'utf8')) as ViteManifest;
  const outputsByFile = new Map(Object.values(outputs).map((output) => [output.file, output]));
  const routesFile = readdirSync(join(client, 'assets')).find((name) => /^manifest-\w+\.js$/.test(name)) ?? '';
  const routesScript = readFileSync(join(client, 'assets', routesFile), 'utf8');
  const { entry, routes } = JSON.parse(routesScript.slice(routesScript.indexOf('{')).replace(/;$/, '')) as RouterManifest;

  const files = new Set([`assets/${routesFile}`, entry.module.slice(1)]);
  for (let id: string | undefined = route; id; id = routes[id]?.parentId) {
    const one = routes[id];
    if (!one) throw new Error(`No route is called ${id}: see web/app/routes.ts`);
    for (const address of [one.module, one.clientLoaderModule, one.clientActionModule]) if (address) files.add(address.slice(1));
  }
  for (const source of loads) {
    const output = outputs[`app/${source}`];
    if (!output) throw new Error(`Nothing loads ${source} by itself: see web/script-budget.ts`);
    files.add(output.file);
  }
  // Iterating a set includes entries added during the loop.
  for (const file of files) {
    for (const key of outputsByFile.get(file)?.imports ?? []) files.add(outputs[key]?.file ?? '');
  }
  const sizeOf = (file: string) =>
    statSync([`${file}.br`, file].map((name) => join(client, name)).find((path) => existsSync(path)) ?? '').size;
  return new Map([...files].map((file) => [file, sizeOf(file)]));
}
