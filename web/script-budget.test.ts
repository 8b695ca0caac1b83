import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { scriptOf } from './script-budget.ts';

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
const scripts = {
  'assets/entry.js': { imports: ['assets/site.js'], source: 'entry.client.tsx' },
  'assets/root.js': { imports: ['assets/site.js'], source: 'root.tsx' },
  'assets/layout.js': { imports: [], source: 'pages/layout.tsx' },
  'assets/page.js': { imports: ['assets/cards.js'], source: 'pages/page.tsx' },
  'assets/page-data.js': { imports: [], source: 'pages/page.tsx' },
  'assets/cards.js': { imports: ['assets/icons.js', 'assets/site.js'], source: null },
  'assets/icons.js': { imports: ['assets/cards.js'], source: null },
  'assets/site.js': { imports: [], source: null },
  'assets/other.js': { imports: [], source: 'pages/other.tsx' },
  'assets/badge.js': { imports: ['assets/queries.js'], source: 'domains/badge.tsx' },
  'assets/queries.js': { imports: [], source: null },
};
writeFileSync(join(build, 'scripts.json'), JSON.stringify(scripts));
for (const path of Object.keys(scripts)) file(path.slice('assets/'.length), 10);
file('site.js', 9_000);
file('site.js.br', 3_000);
file('site.js.gz', 4_000);
const list = `window.__reactRouterManifest=${JSON.stringify({ entry: { module: '/assets/entry.js', imports: [] }, routes })};`;
writeFileSync(join(build, 'client/assets/manifest-1a2b.js'), list);

const weightOf = (script: Map<string, number>) => [...script.values()].reduce((sum, bytes) => sum + bytes, 0);

test('a page weighs what it is built from, with its layouts, what these import and the list of routes, each once and as it is sent', () => {
  const script = scriptOf({ page: 'page', route: 'page', most: 0 }, build);
  const names = ['cards', 'entry', 'icons', 'layout', 'manifest-1a2b', 'page', 'page-data', 'root', 'site'];
  expect([...script.keys()].toSorted()).toEqual(names.map((name) => `assets/${name}.js`).toSorted());
  expect(weightOf(script)).toBe(3_000 + 7 * 10 + list.length);
});

test('what a page loads by itself weighs too', () => {
  const script = scriptOf({ page: 'page', route: 'page', most: 0, loads: ['domains/badge.tsx'] }, build);
  expect(weightOf(script)).toBe(3_000 + 9 * 10 + list.length);
  expect(script.has('assets/queries.js')).toBe(true);
});

test('a budget for a page or a part that there is not fails', () => {
  expect(() => scriptOf({ page: 'page', route: 'gone', most: 0 }, build)).toThrow('No route is called gone');
  expect(() => scriptOf({ page: 'page', route: 'page', most: 0, loads: ['domains/gone.tsx'] }, build)).toThrow('domains/gone.tsx');
});
