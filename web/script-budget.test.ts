import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { scriptOf, type ViteManifest } from './script-budget.ts';

const build = mkdtempSync(join(tmpdir(), 'handwise-script-'));
afterAll(() => rmSync(build, { recursive: true }));
mkdirSync(join(build, 'client/assets'), { recursive: true });
const file = (name: string, bytes: number) => writeFileSync(join(build, 'client/assets', name), ' '.repeat(bytes));

const routes = {
  root: { id: 'root', module: '/assets/root.js' },
  layout: { id: 'layout', parentId: 'root', module: '/assets/layout.js' },
  page: { id: 'page', parentId: 'layout', module: '/assets/page.js', clientLoaderModule: '/assets/page-data.js' },
  other: { id: 'other', parentId: 'root', module: '/assets/other.js' },
};
// Keyed like Vite's manifest: by source, or by file for chunks of several sources.
const outputs: ViteManifest = {
  'app/entry.client.tsx': { file: 'assets/entry.js', imports: ['_site.js'] },
  'app/root.tsx': { file: 'assets/root.js', imports: ['_site.js'] },
  'app/pages/layout.tsx': { file: 'assets/layout.js' },
  'app/pages/page.tsx': { file: 'assets/page.js', imports: ['_cards.js'] },
  'app/pages/page.tsx?data': { file: 'assets/page-data.js' },
  '_cards.js': { file: 'assets/cards.js', imports: ['_icons.js', '_site.js'] },
  '_icons.js': { file: 'assets/icons.js', imports: ['_cards.js'] },
  '_site.js': { file: 'assets/site.js' },
  'app/pages/other.tsx': { file: 'assets/other.js' },
  'app/domains/badge.tsx': { file: 'assets/badge.js', imports: ['_queries.js'] },
  '_queries.js': { file: 'assets/queries.js' },
};
mkdirSync(join(build, '.vite'));
writeFileSync(join(build, '.vite/manifest.json'), JSON.stringify(outputs));
for (const output of Object.values(outputs)) file(output.file.slice('assets/'.length), 10);
file('site.js', 9_000);
file('site.js.br', 3_000);
file('site.js.gz', 4_000);
const list = `window.__reactRouterManifest=${JSON.stringify({ entry: { module: '/assets/entry.js', imports: [] }, routes })};`;
writeFileSync(join(build, 'client/assets/manifest-1a2b.js'), list);

const weightOf = (script: Map<string, number>) => [...script.values()].reduce((sum, bytes) => sum + bytes, 0);

test('counts the page, its layouts, their imports and the route manifest once each, compressed', () => {
  const script = scriptOf({ page: 'page', route: 'page', most: 0 }, build);
  const names = ['cards', 'entry', 'icons', 'layout', 'manifest-1a2b', 'page', 'page-data', 'root', 'site'];
  expect([...script.keys()].toSorted()).toEqual(names.map((name) => `assets/${name}.js`).toSorted());
  expect(weightOf(script)).toBe(3_000 + 7 * 10 + list.length);
});

test('counts lazy parts that the page always loads', () => {
  const script = scriptOf({ page: 'page', route: 'page', most: 0, loads: ['domains/badge.tsx'] }, build);
  expect(weightOf(script)).toBe(3_000 + 9 * 10 + list.length);
  expect(script.has('assets/queries.js')).toBe(true);
});

test('rejects a budget for an unknown page or part', () => {
  expect(() => scriptOf({ page: 'page', route: 'gone', most: 0 }, build)).toThrow('No route is called gone');
  expect(() => scriptOf({ page: 'page', route: 'page', most: 0, loads: ['domains/gone.tsx'] }, build)).toThrow('domains/gone.tsx');
});
