import { adminPaths } from '@handwise/contract/admin/paths';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { paths } from '@handwise/contract/paths';
import type { RouteConfigEntry } from '@react-router/dev/routes';
import { matchRoutes, type RouteObject } from 'react-router';
import { expect, test } from 'vitest';
import routes from './routes.ts';

const asObject = ({ id, path, index, file, children }: RouteConfigEntry): RouteObject =>
  index
    ? { index, handle: file, ...(id && { id }) }
    : { handle: file, ...(id && { id }), ...(path && { path }), ...(children && { children: children.map(asObject) }) };

/** The names that a module exports; the linter requires exports at the beginning of lines. */
const exportsOf = (source: string) =>
  [
    ...source.matchAll(
      /^export\s+(?:(default)\b|\{([^}]*)\}|(\*)|(?:(?:async|const|let|function\*?|class|type|interface|enum)\s+)+(\w+))/gm,
    ),
  ].flatMap(
    ([, byDefault, list, all, name]) =>
      list?.split(',').map(
        (one) =>
          one
            .trim()
            .split(/\s+as\s+/)
            .at(-1) ?? '',
      ) ?? [byDefault ?? all ?? name ?? ''],
  );

const tree = routes.map(asObject);
const layoutsAt = (address: string) => (matchRoutes(tree, address) ?? []).map(({ route }) => String(route.handle));

// A path with an ending is a file.
const addresses = [...Object.entries(paths), ...Object.entries(adminPaths)]
  .map(([name, path]) => [name, typeof path === 'string' ? path : path('one', 'two')] as const)
  .filter(([, address]) => !address.endsWith('.svg'));

test.each(addresses)('there is a page at the address of %s', (_name, address) => {
  const files = layoutsAt(address);
  expect(files.at(-1)).toMatch(/^pages\//);
  expect(files.at(-1)).not.toBe('pages/site/not-found.tsx');
});

test('has no page for an unknown address', () => {
  expect(layoutsAt('/account/cards')).toEqual(['pages/site/not-found.tsx']);
});

test.each([
  paths.account,
  paths.security,
  paths.alerts,
  paths.cards,
  paths.addCard,
  paths.receipts,
  paths.decisions,
  paths.receipt('one'),
  paths.ownListings,
  paths.savedListings,
  paths.compareListings,
  paths.messages,
  paths.quoteRequests,
  paths.conversation('one'),
  paths.editListing('one'),
  paths.updatePlan('one'),
  paths.reactivateListing('one'),
  paths.listingAnalytics('one'),
  paths.paymentSuccess,
  paths.paymentReturn,
  paths.referral,
  paths.claimPrize,
  paths.signupSuccess,
  paths.registerSuccess,
])('%s is for members', (address) => {
  expect(layoutsAt(address)).toContain('pages/layouts/members.tsx');
});

test.each([
  paths.admin,
  adminPaths.reports,
  adminPaths.appeals,
  adminPaths.referrals,
  adminPaths.import,
  adminPaths.settings,
  adminPaths.health,
  adminPaths.funnel,
  adminPaths.users,
  adminPaths.user('one'),
  adminPaths.listings,
  adminPaths.reviews,
  adminPaths.payments,
  adminPaths.payment('one'),
  adminPaths.disputes,
  adminPaths.audit,
  adminPaths.drawManagement,
])('%s is for administrators', (address) => {
  expect(layoutsAt(address)).toContain('pages/layouts/administration.tsx');
});

test.each([
  paths.landing,
  paths.browse,
  paths.pros,
  paths.services,
  paths.servicesIn('plumbing', 'auckland'),
  paths.servicesIn('plumbing', 'waikato', 'cambridge'),
  paths.listing('one'),
  paths.draws,
  paths.draw('2026-11'),
  paths.drawRules,
])('%s is public, and loads no queries in the browser', (address) => {
  expect(layoutsAt(address)).toHaveLength(1);
});

// The exports that the framework reads from pages and layouts; any other would be shipped to every visitor unused.
const readOfPages = ['default', 'meta', 'loader', 'clientLoader', 'handle', 'headers', 'links', 'shouldRevalidate', 'ErrorBoundary'];
const alsoOfTheRoot: Record<string, string[]> = { 'pages/site/not-found.tsx': ['NotFound'] };
const filesOf = (entries: RouteConfigEntry[]): string[] => entries.flatMap(({ file, children }) => [file, ...filesOf(children ?? [])]);

test.each([
  ...[...new Set(filesOf(routes))].map((file) => [file, [...readOfPages, ...(alsoOfTheRoot[file] ?? [])]] as const),
  ['root.tsx', [...readOfPages, 'Layout']] as const,
  ['entry.client.tsx', []] as const,
  // The server's entry, which the server imports.
  ['entry.server.tsx', ['default', 'serverContext']] as const,
])('%s exports only what the framework reads', (file, read: readonly string[]) => {
  const source = readFileSync(join(import.meta.dirname, file), 'utf8');
  expect(exportsOf(source).filter((name) => !read.includes(name))).toEqual([]);
});

test('finds every kind of export', () => {
  const source =
    "export default 1;\nexport const one = 1;\nexport async function two() {}\nexport type Three = 3;\nexport { x as four, five } from 'y';\nexport * from 'z';\n";
  expect(exportsOf(source)).toEqual(['default', 'one', 'two', 'Three', 'four', 'five', '*']);
});
