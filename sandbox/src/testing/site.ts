import { join } from 'node:path';
import { UNSAFE_withComponentProps as withComponentProps, UNSAFE_withErrorBoundaryProps as withErrorBoundaryProps } from 'react-router';
import type { Site } from '@handwise/server/http/app';
import type { SiteBuild } from '@handwise/server/kit/pages';

const appDir = join(import.meta.dirname, '../../../web/app');

type Entry = { id?: string; path?: string; index?: boolean; file: string; children?: Entry[] };

const load = async (file: string): Promise<any> => import(join(appDir, file));

/**
 * The site from its sources without a build, page by page as in `web/app/routes.ts`, so that tests get
 * the real pages. Only the browser's files are fake.
 */
export async function testSite(): Promise<Site> {
  const routes: Record<string, any> = {};
  const assets: Record<string, any> = {};
  const add = async (entry: Entry, parentId: string | undefined): Promise<void> => {
    const id = entry.id ?? entry.file.replace(/\.tsx?$/, '');
    const route = { id, parentId, path: entry.path, index: entry.index };
    const module = { ...(await load(entry.file)) };
    // As the framework's compiler does.
    module.default = withComponentProps(module.default);
    if (module.ErrorBoundary) module.ErrorBoundary = withErrorBoundaryProps(module.ErrorBoundary);
    routes[id] = { ...route, module };
    assets[id] = {
      ...route,
      module: `/assets/${id}.js`,
      hasAction: 'action' in module,
      hasLoader: 'loader' in module,
      hasClientAction: 'clientAction' in module,
      hasClientLoader: 'clientLoader' in module,
      hasClientMiddleware: 'clientMiddleware' in module,
      hasErrorBoundary: 'ErrorBoundary' in module,
    };
    for (const child of entry.children ?? []) await add(child, id);
  };
  await add({ id: 'root', path: '', file: 'root.tsx', children: (await load('routes.ts')).default }, undefined);

  const build = {
    entry: { module: await load('entry.server.tsx') },
    routes,
    assets: {
      entry: { module: '/assets/entry.client.js', imports: [] },
      routes: assets,
      url: '/assets/manifest.js',
      version: 'test',
    },
    assetsBuildDirectory: '',
    publicPath: '/',
    basename: '/',
    future: {},
    isSpaMode: false,
    ssr: true,
    prerender: [],
    routeDiscovery: { mode: 'initial' },
  } as unknown as SiteBuild;
  return { mode: 'production', assetsDir: null, loadBuild: () => Promise.resolve(build) };
}
