import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import config from './react-router.config.ts';
import { inPlaceOf } from './router-parts.ts';

const library = join(dirname(createRequire(import.meta.url).resolve('react-router/package.json')), 'dist/production/lib');
const load = (code: string) => import(`data:text/javascript,${encodeURIComponent(code)}`) as Promise<Record<string, unknown>>;

test.each(['router/instrumentation.js', 'dom/ssr/fog-of-war.js'])(
  'the installed React Router has %s, and every name of it stays',
  async (path) => {
    const id = join(library, path);
    const code = readFileSync(id, 'utf8');
    const stand = await load(inPlaceOf(id, code) ?? '');
    const names = Object.keys((await import(id)) as object);
    expect(Object.keys(stand)).toEqual(names);
  },
);

test('finding routes on the way is left out while all of them travel with the first page', async () => {
  expect(config.routeDiscovery).toEqual({ mode: 'initial' });
  const id = join(library, 'dom/ssr/fog-of-war.js');
  const { isFogOfWarEnabled, getPatchRoutesOnNavigationFunction } = await load(inPlaceOf(id, readFileSync(id, 'utf8')) ?? '');
  expect((isFogOfWarEnabled as (...given: unknown[]) => unknown)({ mode: 'initial' }, true)).toBe(false);
  expect((getPatchRoutesOnNavigationFunction as () => unknown)()).toBeUndefined();
});

test('a version with other parts ends the build, and all other modules stay as they are', () => {
  expect(() => inPlaceOf(join(library, 'dom/ssr/fog-of-war.js'), 'export { isFogOfWarEnabled, somethingNew };')).toThrow('router-parts.ts');
  expect(inPlaceOf(join(library, 'router/router.js'), 'export { createRouter };')).toBeUndefined();
  expect(inPlaceOf('/work/web/app/router/instrumentation.js', '')).toBeUndefined();
});
