import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { slimManifest } from './routes-manifest.ts';

const route = {
  id: 'pages/search/home',
  parentId: 'root',
  path: 'home',
  hasAction: false,
  hasLoader: true,
  hasClientLoader: true,
  hasDefaultExport: true,
  hasErrorBoundary: false,
  module: '/assets/home-1.js',
  imports: ['/assets/site-1.js'],
  css: [],
  clientLoaderModule: '/assets/home-2.js',
};
const manifest = {
  entry: { module: '/assets/entry-1.js', imports: ['/assets/site-1.js'], css: [] },
  routes: {
    root: { id: 'root', path: '', hasLoader: false, module: '/assets/root-1.js', imports: [], css: ['/assets/style-1.css'] },
    [route.id]: route,
  },
  url: '/assets/manifest-1.js',
  version: '1',
};

test('the browser gets of each route its address, files and what it does, and of the entry all', () => {
  const script = slimManifest(`window.__reactRouterManifest=${JSON.stringify(manifest)};`);
  const window: { __reactRouterManifest?: unknown } = {};
  runInNewContext(script, { window });
  expect(window.__reactRouterManifest).toEqual({
    ...manifest,
    routes: {
      root: { id: 'root', path: '', module: '/assets/root-1.js', css: ['/assets/style-1.css'] },
      'pages/search/home': {
        id: 'pages/search/home',
        parentId: 'root',
        path: 'home',
        hasLoader: true,
        hasClientLoader: true,
        module: '/assets/home-1.js',
        clientLoaderModule: '/assets/home-2.js',
      },
    },
  });
});

test('a file of routes that is written another way ends the build', () => {
  expect(() => slimManifest('window.__routes={}')).toThrow('routes-manifest.ts');
});
